import fs from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import type { FileRefusalCode } from '../contract.ts'
import { FileTooComplex } from './budget.ts'
import { readHeif } from './heif.ts'
import type { Inspection } from './inspection.ts'
import { measureDecodedSize } from './jpeg.ts'
import { measureTexts } from './strip-png.ts'

/** Width times height. Phones take up to 50 million pixels, or 108 million in a special mode. */
const maxPixels = 100_000_000
/** Maximum width or height, because several copies of a row are in memory while an image is resized. */
const maxSidePixels = 65_535
/** Bytes that one image may take in memory while it is decoded: enough for a progressive one of 50 million pixels. */
const maxBytesInMemory = 160_000_000
/** For one image; the largest take 2 seconds on a slow machine. */
const maxSeconds = 20

// Each file is decoded once, so the cache of libvips is useless.
sharp.cache(false)
// Each thread keeps its own rows in memory.
sharp.concurrency(1)

/** Baseline JPEGs are read row by row; progressive ones are held in memory completely. */
export const inspectJpeg: Inspection = async (file, _handle, budget) => {
  if (measureDecodedSize(await fs.readFile(file), budget) > maxBytesInMemory) return 'FILE_TOO_COMPLEX'
  return decode(file, () => 0)
}

export const inspectPng: Inspection = async (file, _handle, budget) => {
  measureTexts(await fs.readFile(file), budget)
  return decode(file, ({ width, height, channels, depth, isProgressive }) =>
    isProgressive ? width * height * channels * (depth === 'ushort' ? 2 : 1) : 0,
  )
}

/** Reads a JPEG or PNG to its end, resizing it on the way so that its pixels are not kept in memory. */
async function decode(file: string, bytesInMemory: (metadata: Metadata) => number): Promise<FileRefusalCode | null> {
  try {
    const picture = sharp(file, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
    const metadata = await picture.metadata()
    const { width, height } = metadata
    if (width * height > maxPixels || Math.max(width, height) > maxSidePixels || bytesInMemory(metadata) > maxBytesInMemory)
      return 'FILE_TOO_COMPLEX'
    await picture.resize(8, 8, { fit: 'fill' }).timeout({ seconds: maxSeconds }).raw().toBuffer()
    return null
  } catch (error) {
    return /pixel limit|timeout/.test(String(error)) ? 'FILE_TOO_COMPLEX' : 'FILE_BROKEN'
  }
}

/** Checks what a HEIC declares: all declared items exist and no image is too large. It is only decoded for a preview. */
export const inspectHeic: Inspection = async (_file, handle, budget) => {
  try {
    const { sizes, items } = await readHeif(handle, budget)
    if (sizes.length === 0 || items.length === 0) return 'FILE_BROKEN'
    return sizes.some(({ width, height }) => width * height > maxPixels) ? 'FILE_TOO_COMPLEX' : null
  } catch (error) {
    if (error instanceof FileTooComplex) throw error
    return 'FILE_BROKEN'
  }
}
