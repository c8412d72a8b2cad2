import fs from 'node:fs/promises'
import { type Budget, createBudget } from './budget.ts'
import { readHeif } from './heif.ts'
import type { FileKind } from '../rules.ts'
import { stripPng } from './strip-png.ts'
import { blankGps } from './tiff.ts'
import { blankXmp } from './xmp.ts'

/**
 * Removes the location and the GPS time from an image, because it may reveal the patient's home. Everything else stays the same byte for
 * byte: pixels, orientation, colours, and camera. Files of other kinds are not changed.
 *
 * Reads the whole file (at most 50 MB) and writes it in place. If the process dies while writing, the file is left corrupt, so pass a copy
 * that is discarded in that case.
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
            stripVideo(bytes, budget),
          ].some(Boolean)
    if (isChanged) await handle.write(bytes, 0, bytes.length, 0)
  } finally {
    await handle.close()
  }
}

const segment = Buffer.from([0xff, 0xe1])
const exif = 'Exif\0\0'
const xmp = 'http://ns.adobe.com/xap/1.0/\0'
const extendedXmp = 'http://ns.adobe.com/xmp/extension/\0'
/** After the name: the packet's ID (32 bytes), the packet's length, and the offset of this piece in it. In bytes. */
const extendedXmpHeaderLength = extendedXmp.length + 32 + 4 + 4

/**
 * Strips the APP1 segments of a JPEG anywhere in the file: a phone's photo may contain or be followed by further images (a preview, a
 * second exposure) with the same metadata. Nothing else looks like such a segment, because image data never contains FF E1. No byte is read
 * as part of two segments: whatever begins inside a segment belongs to it.
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
    const isExtended = starts(extendedXmp)
    if (isXmp || isExtended) budget.spend('blocks')
    if (isExif) isChanged = blankGps(content.subarray(exif.length), budget) || isChanged
    if (isXmp) isChanged = blankXmp([content.subarray(xmp.length)], budget) || isChanged
    if (isExtended) pieces.push(content.subarray(extendedXmpHeaderLength))
    next = isExif || isXmp || isExtended ? Math.max(end, at + 2) : at + 2
  }
  // A packet of more than 64 kB can be split anywhere, even within a word.
  return blankXmp(pieces, budget) || isChanged
}

/** Strips Exif data found by its signature, for blocks that no structure points to. */
function stripExif(bytes: Buffer, budget: Budget): boolean {
  let isChanged = false
  for (let at = bytes.indexOf(exif, 0, 'latin1'); at >= 0; at = bytes.indexOf(exif, at + 1, 'latin1')) {
    budget.spend('parts')
    const start = at + exif.length
    // In a JPEG the block's length has 16 bits; longer blocks are found through their structure.
    isChanged = blankGps(bytes.subarray(start, start + 65_536), budget) || isChanged
  }
  return isChanged
}

const locationBox = Buffer.from('©xyz', 'latin1')

/** Strips the location box of the short video that a phone may append to a photo. The box contains text such as '+45.5-073.6/'. */
function stripVideo(bytes: Buffer, budget: Budget): boolean {
  let isChanged = false
  for (let at = bytes.indexOf(locationBox); at >= 4; at = bytes.indexOf(locationBox, at + 1)) {
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

/** Strips the Exif and XMP items of a HEIC. An item stored in several pieces is joined, stripped, and split again. */
async function stripItems(bytes: Buffer, handle: fs.FileHandle, budget: Budget): Promise<boolean> {
  const { items } = await readHeif(handle, budget)
  let isChanged = false
  for (const { type, contentType, isCompressed, pieces } of items) {
    const parts = pieces.map(({ start, end }) => bytes.subarray(start, end))
    const isXmp = type === 'mime' && contentType === 'application/rdf+xml'
    if (!isXmp && type !== 'Exif') continue
    budget.spend('blocks')
    // Pieces may overlap, so together they can be longer than the file.
    for (const part of parts) budget.spend('metadata', part.length)
    // Compressed data would not keep its length if edited.
    if (isXmp && isCompressed) for (const part of parts) part.fill(0)
    isChanged = (isXmp && (isCompressed || blankXmp(parts, budget))) || isChanged
    if (type !== 'Exif') continue
    const whole = Buffer.concat(parts)
    if (whole.length < 8 || !blankGps(whole.subarray(4 + whole.readUInt32BE(0)), budget)) continue
    isChanged = true
    let copied = 0
    for (const part of parts) copied += whole.copy(part, 0, copied, copied + part.length)
  }
  return isChanged
}
