import sharp from 'sharp'
import { oneAtATime } from '../../shared/one-at-a-time.ts'
import { HeifTooComplex, readHeif } from './heif.ts'
import type { Inspection } from './inspection.ts'

/** Width times height. A phone's largest are 50 million, or 108 in a mode for posters. */
const mostPixels = 100_000_000
/** For one picture; the largest take 2 on a slow machine. */
const mostSeconds = 20

// Each file is decoded once: what libvips would keep of it is of use to nobody.
sharp.cache(false)
/** A progressive picture is held whole while it is decoded, up to 600 MB; two at once could be too much. */
const decode = oneAtATime()

/** A JPEG or PNG that is read to its end. It is made small while that happens, so that its pixels are not held. */
export const inspectDecoded: Inspection = async (file) => {
  try {
    const picture = sharp(file, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
    const { width, height } = await picture.metadata()
    if (width * height > mostPixels) return 'FILE_TOO_COMPLEX'
    await decode(() => picture.resize(8, 8, { fit: 'fill' }).timeout({ seconds: mostSeconds }).raw().toBuffer())
    return null
  } catch (error) {
    return /pixel limit|timeout/.test(String(error)) ? 'FILE_TOO_COMPLEX' : 'FILE_BROKEN'
  }
}

/** A HEIC is known by what it declares: all that is said to be in it is there, and no picture is too large. It is decoded when it is looked at. */
export const inspectHeic: Inspection = async (_file, handle) => {
  try {
    const { sizes, items } = await readHeif(handle)
    if (sizes.length === 0 || items.length === 0) return 'FILE_BROKEN'
    return sizes.some(({ width, height }) => width * height > mostPixels) ? 'FILE_TOO_COMPLEX' : null
  } catch (error) {
    return error instanceof HeifTooComplex ? 'FILE_TOO_COMPLEX' : 'FILE_BROKEN'
  }
}
