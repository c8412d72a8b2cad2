import fs from 'node:fs/promises'
import { type Budget, createBudget } from './budget.ts'
import { readHeif } from './heif.ts'
import type { FileKind } from '../rules.ts'
import { stripPng } from './strip-png.ts'
import { blankGps } from './tiff.ts'
import { blankXmp } from './xmp.ts'

/**
 * Takes out of a picture where it was taken, and when by the clock of GPS: the patient's home is no one's business. Everything else stays as it
 * is, byte for byte: the pixels, the orientation, the colours, the camera. Files of other kinds are left alone.
 *
 * The file is read whole (50 MB at most) and written in place: a process that dies in the meantime leaves it broken, so it must be a copy that is
 * thrown away then.
 * @throws FileTooComplex
 */
export async function stripLocation(file: string, kind: FileKind, budget: Budget = createBudget()): Promise<void> {
  if (!kind.startsWith('image/')) return
  const handle = await fs.open(file, 'r+')
  try {
    const bytes = await handle.readFile()
    const isChanged =
      kind === 'image/png'
        ? stripPng(bytes, budget)
        : [
            kind === 'image/heic' && (await stripItems(bytes, handle, budget)),
            stripSegments(bytes, budget),
            stripExif(bytes, budget),
            stripFilm(bytes, budget),
          ].some(Boolean)
    if (isChanged) await handle.write(bytes, 0, bytes.length, 0)
  } finally {
    await handle.close()
  }
}

const segment = Buffer.from([0xff, 0xe1])
const exif = 'Exif\0\0'
const xmp = 'http://ns.adobe.com/xap/1.0/\0'
const moreXmp = 'http://ns.adobe.com/xmp/extension/\0'
/** Behind the name: which packet it belongs to, and how long that is and where in it this piece belongs. */
const moreXmpHeader = moreXmp.length + 32 + 4 + 4

/**
 * The APP1 segments of a JPEG, wherever they are: a picture of a phone may have others behind it or in it (a preview, a second exposure) that say
 * the same. Nothing else looks like one: in the data of a picture no FF is followed by E1. No byte is read as part of two: what begins in a segment
 * is a part of it.
 */
function stripSegments(bytes: Buffer, budget: Budget): boolean {
  let isChanged = false
  const pieces: Buffer[] = []
  for (let at = bytes.indexOf(segment), next = 0; at >= 0 && at + 4 <= bytes.length; at = bytes.indexOf(segment, next)) {
    budget.spend('parts')
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const content = bytes.subarray(at + 4, end)
    const starts = (name: string) => content.toString('latin1', 0, name.length) === name
    const isExif = starts(exif)
    const isXmp = starts(xmp)
    const isMore = starts(moreXmp)
    if (isXmp || isMore) budget.spend('blocks')
    if (isExif) isChanged = blankGps(content.subarray(exif.length), budget) || isChanged
    if (isXmp) isChanged = blankXmp([content.subarray(xmp.length)], budget) || isChanged
    if (isMore) pieces.push(content.subarray(moreXmpHeader))
    next = isExif || isXmp || isMore ? Math.max(end, at + 2) : at + 2
  }
  // A packet of more than 64 kB is cut anywhere, also in a word.
  return blankXmp(pieces, budget) || isChanged
}

/** Exif data by its signature, for what no structure leads to. */
function stripExif(bytes: Buffer, budget: Budget): boolean {
  let isChanged = false
  for (let at = bytes.indexOf(exif, 0, 'latin1'); at >= 0; at = bytes.indexOf(exif, at + 1, 'latin1')) {
    budget.spend('parts')
    const start = at + exif.length
    // It counts its places in 16 bits in a JPEG; longer ones are found by their structure.
    isChanged = blankGps(bytes.subarray(start, start + 65_536), budget) || isChanged
  }
  return isChanged
}

const place = Buffer.from('©xyz', 'latin1')

/** The few seconds of film that a phone may put behind a picture name their place in a box of their own, as '+45.5-073.6/'. */
function stripFilm(bytes: Buffer, budget: Budget): boolean {
  let isChanged = false
  for (let at = bytes.indexOf(place); at >= 4; at = bytes.indexOf(place, at + 1)) {
    budget.spend('parts')
    const size = bytes.readUInt32BE(at - 4)
    const content = bytes.subarray(at + 4, at - 4 + size)
    if (size > 256 || !/^[+-]\d+(\.\d*)?[+-]\d/.test(content.toString('latin1', 4))) continue
    bytes.write('free', at, 'latin1')
    content.fill(0)
    isChanged = true
  }
  return isChanged
}

/** The items of a HEIC that are Exif data or XMP. One that lies in several pieces is put together, and parted again. */
async function stripItems(bytes: Buffer, handle: fs.FileHandle, budget: Budget): Promise<boolean> {
  const { items } = await readHeif(handle, budget)
  let isChanged = false
  for (const { type, contentType, isPacked, pieces } of items) {
    const parts = pieces.map(({ start, end }) => bytes.subarray(start, end))
    const isXmp = type === 'mime' && contentType === 'application/rdf+xml'
    if (!isXmp && type !== 'Exif') continue
    budget.spend('blocks')
    // Pieces may lie on one another: together they can be more than the file.
    for (const part of parts) budget.spend('metadata', part.length)
    // What is packed could not stay as long as it is.
    if (isXmp && isPacked) for (const part of parts) part.fill(0)
    isChanged = (isXmp && (isPacked || blankXmp(parts, budget))) || isChanged
    if (type !== 'Exif') continue
    const whole = Buffer.concat(parts)
    if (whole.length < 8 || !blankGps(whole.subarray(4 + whole.readUInt32BE(0)), budget)) continue
    isChanged = true
    let taken = 0
    for (const part of parts) taken += whole.copy(part, 0, taken, taken + part.length)
  }
  return isChanged
}
