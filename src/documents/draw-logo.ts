import sharp from 'sharp'

/** Width and height of what is kept, at most: sharp on a screen wherever it stands. */
const side = 512
/** Width times height of what is sent. */
const maxPixels = 25_000_000

/** A picture drawn again as a PNG, so that nothing is kept of what else the file says. Null: it cannot be read, or is too large. */
export async function drawLogo(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
    return await picture.rotate().resize(side, side, { fit: 'inside', withoutEnlargement: true }).timeout({ seconds: 10 }).png().toBuffer()
  } catch {
    return null
  }
}
