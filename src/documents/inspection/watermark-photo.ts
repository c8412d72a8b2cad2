import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/** Shipped with the PDFs, because a server may have no fonts. */
const font = {
  font: 'Roboto SemiBold',
  fontfile: fileURLToPath(import.meta.resolve('@expo-google-fonts/roboto/600SemiBold/Roboto_600SemiBold.ttf')),
}
/** In degrees, counterclockwise. */
const slope = -24
/** The height of the letters as a part of the photo's longer side, and their least height in pixels. */
const letters = { part: 1 / 76, least: 11 }
/** As copies for the screen have it. */
const quality = 86

/**
 * Draws a text over a JPEG again and again, diagonally: light letters with a dark edge, faint, so that both light and dark skin stay visible and the
 * text is legible on both. The colour profile stays.
 */
export async function watermarkPhoto(copy: Uint8Array, text: string): Promise<Uint8Array> {
  const { width, height } = await sharp(copy, { failOn: 'error' }).metadata()
  const stamp = await stampOf(text, Math.max(letters.least, Math.round(Math.max(width, height) * letters.part)))
  // A stamp may be larger than a small photo, which then shows its middle.
  const fitting = await sharp(stamp)
    .resize(Math.min(width, stamp.width), Math.min(height, stamp.height), { fit: 'cover', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp(copy, { failOn: 'error' })
    .composite([{ input: fitting, tile: true, gravity: 'northwest' }])
    .keepIccProfile()
    .jpeg({ quality })
    .toBuffer()
}

let last: { key: string; stamp: Buffer & { width: number; height: number } } | null = null

/** The text once, turned, with the room around it that keeps one from the next. The same person often opens several photos within a minute. */
async function stampOf(text: string, size: number): Promise<Buffer & { width: number; height: number }> {
  const key = `${size} ${text}`
  if (last?.key === key) return last.stamp
  const [light, dark] = await Promise.all([lettersIn('#ffffff', '42%', text, size), lettersIn('#000000', '38%', text, size)])
  const edge = Math.max(1, Math.round(size / 18))
  const { width, height } = light.info
  const [across, down] = [width + 4 * size, height + 3 * size]
  const line = await sharp({ create: { width: across, height: down, channels: 4, background: '#0000' } })
    .composite([
      { input: dark.data, left: 2 * size + edge, top: edge + Math.round(1.5 * size) },
      { input: light.data, left: 2 * size, top: Math.round(1.5 * size) },
    ])
    .png()
    .toBuffer()
  const { data, info } = await sharp(line)
    .rotate(slope, { background: '#0000' })
    .png({ compressionLevel: 0 })
    .toBuffer({ resolveWithObject: true })
  last = { key, stamp: Object.assign(data, { width: info.width, height: info.height }) }
  return last.stamp
}

const lettersIn = (colour: string, alpha: string, text: string, size: number) =>
  sharp({
    text: { text: `<span foreground="${colour}" alpha="${alpha}">${escaped(text)}</span>`, ...font, rgba: true, dpi: Math.round(size * 6) },
  })
    .png()
    .toBuffer({ resolveWithObject: true })

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)
