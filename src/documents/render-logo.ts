import sharp from 'sharp'

/** Maximum width and height of the stored logo in pixels: sharp wherever it is shown. */
const maxSide = 512
/** Maximum width times height of the uploaded image. */
const maxPixels = 25_000_000

/** Re-encodes an image as a PNG, so that no metadata is kept; null if it cannot be read or is too large. */
export async function renderLogo(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
    return await picture
      .rotate()
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 10 })
      .png()
      .toBuffer()
  } catch {
    return null
  }
}
