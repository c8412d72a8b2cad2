import fs from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { oneAtATime } from '../../shared/one-at-a-time.ts'
import { readHeif } from './heif.ts'

/** Width times height; a pixel is 4 bytes, held twice while it is decoded. */
const mostPixels = 50_000_000
const longestSide = 2048
const quality = 85

type Decoded = { width: number; height: number; pixels: ArrayBuffer }

const decode = oneAtATime()

/**
 * A HEIC as a JPEG that every browser shows: upright, in its own colours, without any other metadata, 2,048 pixels on the longer side at most.
 * One at a time in this process; the others wait.
 * @throws a plain error for a file that is broken, has more than 50 million pixels, or takes longer than `seconds` once it is its turn.
 */
export function heicToJpeg(file: string, seconds = 20): Promise<Buffer> {
  return decode(async () => {
    const iccProfile = await readDeclared(file)
    const { width, height, pixels } = await decodeInThread(file, seconds)
    const jpeg = await sharp(new Uint8Array(pixels), { raw: { width, height, channels: 4 }, limitInputPixels: mostPixels })
      .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality })
      .toBuffer()
    return iccProfile ? withProfile(jpeg, iccProfile) : jpeg
  })
}

/** Looks at what is declared before a decoder takes memory for it. */
async function readDeclared(file: string): Promise<Buffer | null> {
  const handle = await fs.open(file)
  try {
    const { sizes, iccProfile } = await readHeif(handle)
    if (sizes.some(({ width, height }) => width * height > mostPixels)) throw new Error('The picture has too many pixels')
    return iccProfile
  } finally {
    await handle.close()
  }
}

async function decodeInThread(file: string, seconds: number): Promise<Decoded> {
  // The decoder tells standard output what it does not like.
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { workerData: { file, mostPixels }, stdout: true, stderr: true })
  let late: NodeJS.Timeout | undefined
  try {
    return await new Promise<Decoded>((resolve, reject) => {
      late = setTimeout(() => reject(new Error(`The picture was not decoded within ${seconds} seconds`)), seconds * 1000)
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The picture cannot be decoded')))
    })
  } finally {
    clearTimeout(late)
    await worker.terminate()
  }
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
