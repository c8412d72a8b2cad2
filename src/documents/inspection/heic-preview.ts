import fs from 'node:fs/promises'
import libheif from 'libheif-js/wasm-bundle.js'
import sharp from 'sharp'
import { readHeif } from './heif.ts'

/** Width times height; a pixel takes 4 bytes, twice while decoding. */
const maxPixels = 50_000_000
const maxSidePixels = 2048
const quality = 85

/**
 * Converts a HEIC to a JPEG that every browser can show: upright, with its colour profile, without other metadata, at most 2,048 pixels on
 * the longer side. It takes seconds, may need 1 GB and cannot be interrupted, so file-pools.ts runs it in a worker.
 * @throws an Error if the file is broken or has more than 50 million pixels.
 */
export async function renderPreview(file: string): Promise<Buffer> {
  const iccProfile = await readDeclared(file)
  const { width, height, pixels } = await decode(file)
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: maxPixels })
    .resize(maxSidePixels, maxSidePixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality })
    .toBuffer()
  return iccProfile ? withProfile(jpeg, iccProfile) : jpeg
}

/** Reads the declared sizes before the decoder allocates memory for them. */
async function readDeclared(file: string): Promise<Buffer | null> {
  const handle = await fs.open(file)
  try {
    const { sizes, iccProfile } = await readHeif(handle)
    if (sizes.some(({ width, height }) => width * height > maxPixels)) throw new Error('The image has too many pixels')
    return iccProfile
  } finally {
    await handle.close()
  }
}

async function decode(file: string): Promise<{ width: number; height: number; pixels: Uint8ClampedArray }> {
  const pictures = new libheif.HeifDecoder().decode(await fs.readFile(file))
  const picture = pictures.find((candidate) => candidate.is_primary()) ?? pictures[0]
  if (!picture) throw new Error('The file contains no image')
  const [width, height] = [picture.get_width(), picture.get_height()]
  if (width * height > maxPixels) throw new Error('The image has too many pixels')
  return new Promise((resolve, reject) => {
    picture.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, (filled) => {
      if (filled) resolve({ width, height, pixels: filled.data })
      else reject(new Error('The image cannot be decoded'))
    })
  })
}

/**
 * Adds the ICC profile, without which a phone's reds and greens look dull. Profiles over one segment (64 kB), as printers use, are left
 * out.
 */
function withProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const name = 'ICC_PROFILE\0\x01\x01'
  const length = 2 + name.length + profile.length
  if (length > 0xffff) return jpeg
  const header = Buffer.from([0xff, 0xe2, length >> 8, length & 0xff])
  // After the first segment, which identifies the file as a JPEG.
  const at = jpeg.readUInt16BE(2) === 0xffe0 ? 4 + jpeg.readUInt16BE(4) : 2
  return Buffer.concat([jpeg.subarray(0, at), header, Buffer.from(name, 'latin1'), profile, jpeg.subarray(at)])
}
