/** Width and height of the picture that is sent: more than is stored, and small enough for a slow network. */
const side = 512

/** A picture as a JPEG of at most 512 pixels, in base64; null if the browser cannot read it. */
export async function shrinkPicture(file: File): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const scale = Math.min(1, side / Math.min(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.toDataURL('image/jpeg', 0.8).split(',')[1] ?? null
}
