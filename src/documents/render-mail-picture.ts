import fs from 'node:fs/promises'
import sharp from 'sharp'
import { renderPreview } from './inspection/heic-preview.ts'

/** Maximum width and height in pixels: twice the width of an email's column. */
const maxSide = 1200
/** Maximum width times height of the sent picture. */
const maxPixels = 50_000_000

export interface MailPicture {
  kind: 'image/jpeg' | 'image/png'
  bytes: Uint8Array
  width: number
  height: number
}

/** Draws a picture again for an email, without its metadata; null if it cannot be read or is too large. */
export async function renderMailPicture({ file, isHeic }: { file: string; isHeic: boolean }): Promise<MailPicture | null> {
  try {
    const given = isHeic ? await renderPreview(file) : await fs.readFile(file)
    const picture = sharp(given, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .rotate()
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 20 })
    const { isOpaque } = await sharp(given, { limitInputPixels: maxPixels, pages: 1 }).stats()
    const { data, info } = await (isOpaque ? picture.jpeg({ quality: 85, chromaSubsampling: '4:4:4' }) : picture.png()).toBuffer({
      resolveWithObject: true,
    })
    return { kind: isOpaque ? 'image/jpeg' : 'image/png', bytes: data, width: info.width, height: info.height }
  } catch {
    return null
  }
}
