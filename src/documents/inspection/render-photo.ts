import sharp, { type Sharp } from 'sharp'

type Box = { x: number; y: number; width: number; height: number }
/** A part of a photo that no one may recognize, in pixels: around its middle, turned clockwise by degrees. */
export type Blur = { kind: 'bar' | 'ellipse'; turn: number } & Box
/** What becomes of a copy of a photo: first the blurs, then it is turned clockwise by degrees, then cropped, in pixels of the frame around it, and shrunk to a longer side. */
export type PhotoChanges = { blurs: Blur[]; turn: number; crop: Box; maxSide: number | null }

/** Into how many pixels of colour an ellipse is melted, on its longer side: too few for a face to be restored from. */
const melted = 6
const quality = 88

/** Makes a JPEG of a copy with its blurs burnt in, turned and cropped, with the colours of the copy and no other metadata. */
export async function renderPhoto(copy: Uint8Array, { blurs, turn, crop, maxSide }: PhotoChanges): Promise<Uint8Array> {
  // Each step is a picture of its own: within one, sharp decides the order.
  let picture = await lossless(sharp(copy, { failOn: 'error' }))
  for (const blur of blurs) picture = blur.kind === 'bar' ? await drawBar(picture, blur) : await melt(picture, blur)
  const turned = turn === 0 ? picture : await lossless(sharp(picture).rotate(turn, { background: '#fff' }))
  const { width, height } = await sharp(turned).metadata()
  const left = within(crop.x, 0, width - 1)
  const top = within(crop.y, 0, height - 1)
  const cropped = sharp(turned).extract({
    left,
    top,
    width: within(crop.width, 1, width - left),
    height: within(crop.height, 1, height - top),
  })
  return (maxSide === null ? cropped : cropped.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }))
    .keepIccProfile()
    .jpeg({ quality })
    .toBuffer()
}

const lossless = (picture: Sharp): Promise<Buffer> => picture.keepIccProfile().png({ compressionLevel: 1 }).toBuffer()
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, Math.round(value)))

const svg = ({ width, height }: { width: number; height: number }, content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`)

async function drawBar(picture: Buffer, { x, y, width, height, turn }: Blur): Promise<Buffer> {
  const size = await sharp(picture).metadata()
  const bar = `<rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" transform="rotate(${turn} ${x} ${y})"/>`
  return lossless(sharp(picture).composite([{ input: svg(size, bar) }]))
}

/** Melts an ellipse into a few colours. */
async function melt(picture: Buffer, { x, y, width, height, turn }: Blur): Promise<Buffer> {
  const size = await sharp(picture).metadata()
  const half = Math.hypot(width, height) / 2
  const left = within(x - half, 0, size.width - 1)
  const top = within(y - half, 0, size.height - 1)
  const box = { width: within(x + half, left + 1, size.width) - left, height: within(y + half, top + 1, size.height) - top }
  const few = await lossless(
    sharp(picture)
      .extract({ left, top, ...box })
      .resize(melted, melted, { fit: 'inside', kernel: 'cubic' }),
  )
  const ellipse = `<ellipse cx="${x - left}" cy="${y - top}" rx="${width / 2}" ry="${height / 2}" transform="rotate(${turn} ${x - left} ${y - top})"/>`
  const patch = await sharp(few)
    .resize(box.width, box.height, { fit: 'fill', kernel: 'cubic' })
    .ensureAlpha()
    .composite([{ input: svg(box, ellipse), blend: 'dest-in' }])
    .png()
    .toBuffer()
  return lossless(sharp(picture).composite([{ input: patch, left, top }]))
}
