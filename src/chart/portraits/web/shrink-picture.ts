/** Width and height of the picture that is sent: more than is stored, and small enough for a slow network. */
const side = 512

/** The centre square of a picture as a JPEG of 512 by 512 pixels, in base64; null if the browser cannot read the picture. */
export async function shrinkPicture(file: File): Promise<string | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const square = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const [left, top] = [(picture.width - square) / 2, (picture.height - square) / 2]
  canvas.getContext('2d')?.drawImage(picture, left, top, square, square, 0, 0, side, side)
  picture.close()
  return canvas.toDataURL('image/jpeg', 0.8).split(',')[1] ?? null
}
