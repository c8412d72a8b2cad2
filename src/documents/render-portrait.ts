import sharp from 'sharp'

/** Width and height of the stored portrait in pixels. */
const side = 256
/** Maximum width times height of the sent picture. */
const maxPixels = 25_000_000

/** Crops a picture to a square WebP around its centre, without its metadata; null if it cannot be read or is too large. */
export async function renderPortrait(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
    return await picture.rotate().resize(side, side, { fit: 'cover' }).timeout({ seconds: 10 }).webp({ quality: 82 }).toBuffer()
  } catch {
    return null
  }
}
