import fs from 'node:fs/promises'
import libheif from 'libheif-js/wasm-bundle.js'
import sharp from 'sharp'
import { readHeif } from './heif.ts'

/** Width times height; a pixel is 4 bytes, held twice while it is decoded. */
const maxPixels = 50_000_000
const maxSidePixels = 2048
const quality = 85

/**
 * A HEIC as a JPEG that every browser shows: upright, in its own colours, without any other metadata, 2,048 pixels on the longer side at most. It
 * takes seconds, may need 1 GB, and can be stopped only from outside: file-pools.ts has it done by a worker.
 * @throws a plain error for a file that is broken or has more than 50 million pixels.
 */
export async function drawPreview(file: string): Promise<Buffer> {
  const iccProfile = await readDeclared(file)
  const { width, height, pixels } = await decode(file)
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: maxPixels })
    .resize(maxSidePixels, maxSidePixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality })
    .toBuffer()
  return iccProfile ? withProfile(jpeg, iccProfile) : jpeg
}

/** Looks at what is declared before a decoder takes memory for it. */
async function readDeclared(file: string): Promise<Buffer | null> {
  const handle = await fs.open(file)
  try {
    const { sizes, iccProfile } = await readHeif(handle)
    if (sizes.some(({ width, height }) => width * height > maxPixels)) throw new Error('The picture has too many pixels')
    return iccProfile
  } finally {
    await handle.close()
  }
}

async function decode(file: string): Promise<{ width: number; height: number; pixels: Uint8ClampedArray }> {
  const pictures = new libheif.HeifDecoder().decode(await fs.readFile(file))
  const picture = pictures.find((one) => one.is_primary()) ?? pictures[0]
  if (!picture) throw new Error('There is no picture in the file')
  const [width, height] = [picture.get_width(), picture.get_height()]
  if (width * height > maxPixels) throw new Error('The picture has too many pixels')
  return new Promise((resolve, reject) => {
    picture.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, (filled) => {
      if (filled) resolve({ width, height, pixels: filled.data })
      else reject(new Error('The picture cannot be decoded'))
    })
  })
}

/** An ICC profile fits one segment (64 kB) but for those of printers; without it a phone's reds and greens come out dull. */
function withProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const name = 'ICC_PROFILE\0\x01\x01'
  const length = 2 + name.length + profile.length
  if (length > 0xffff) return jpeg
  const header = Buffer.from([0xff, 0xe2, length >> 8, length & 0xff])
  // Behind the picture's first segment, which says that it is a JPEG.
  const at = jpeg.readUInt16BE(2) === 0xffe0 ? 4 + jpeg.readUInt16BE(4) : 2
  return Buffer.concat([jpeg.subarray(0, at), header, Buffer.from(name, 'latin1'), profile, jpeg.subarray(at)])
}
