import fs from 'node:fs/promises'
import sharp, { type Metadata } from 'sharp'
import type { FileRefusalCode } from '../contract.ts'
import { FileTooComplex } from './budget.ts'
import { readHeif } from './heif.ts'
import type { Inspection } from './inspection.ts'
import { decodedSizeOf } from './jpeg.ts'
import { measureTexts } from './strip-png.ts'

/** Width times height. A phone's largest are 50 million, or 108 in a mode for posters. */
const maxPixels = 100_000_000
/** Of one side: a row is held several times while a picture is made small. */
const maxSidePixels = 65_535
/** Bytes that one picture may take in memory while it is decoded: a progressive one of 50 million pixels, of a phone's or of the web's kind. */
const maxHeld = 160_000_000
/** For one picture; the largest take 2 on a slow machine. */
const maxSeconds = 20

// Each file is decoded once: what libvips would keep of it is of use to no one.
sharp.cache(false)
// Each thread has rows of its own in memory.
sharp.concurrency(1)

/** Most are read row by row; one that is drawn in several passes is held whole. */
export const inspectJpeg: Inspection = async (file, _handle, budget) => {
  if (decodedSizeOf(await fs.readFile(file), budget) > maxHeld) return 'FILE_TOO_COMPLEX'
  return decode(file, () => 0)
}

export const inspectPng: Inspection = async (file, _handle, budget) => {
  measureTexts(await fs.readFile(file), budget)
  return decode(file, ({ width, height, channels, depth, isProgressive }) =>
    isProgressive ? width * height * channels * (depth === 'ushort' ? 2 : 1) : 0,
  )
}

/** A JPEG or PNG that is read to its end. It is made small while that happens, so that its pixels are not held. */
async function decode(file: string, heldBy: (picture: Metadata) => number): Promise<FileRefusalCode | null> {
  try {
    const picture = sharp(file, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
    const metadata = await picture.metadata()
    const { width, height } = metadata
    if (width * height > maxPixels || Math.max(width, height) > maxSidePixels || heldBy(metadata) > maxHeld) return 'FILE_TOO_COMPLEX'
    await picture.resize(8, 8, { fit: 'fill' }).timeout({ seconds: maxSeconds }).raw().toBuffer()
    return null
  } catch (error) {
    return /pixel limit|timeout/.test(String(error)) ? 'FILE_TOO_COMPLEX' : 'FILE_BROKEN'
  }
}

/** A HEIC is known by what it declares: all that is said to be in it is there, and no picture is too large. It is decoded when it is looked at. */
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
