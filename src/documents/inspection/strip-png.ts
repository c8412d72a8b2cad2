import zlib from 'node:zlib'
import { type Budget, FileTooComplex } from './budget.ts'
import { blankGps } from './tiff.ts'
import { namesLocation } from './xmp.ts'

const signature = 8
/** Bytes around a chunk's data: its length and four-letter type before it, and the checksum of type and data after it. */
const overhead = { before: 8, after: 4 }
const comment = 'tEXtComment\0'
/** Metadata that decompresses to more is not examined but blanked. In bytes. */
const maxTextLength = 4 * 1024 * 1024

/** Reads the chunks of a PNG in order: the type, the data, and the offset of the data. */
function* readChunks(bytes: Buffer, budget: Budget): Generator<{ type: string; data: Buffer; start: number }> {
  for (let at = signature; at + overhead.before + overhead.after <= bytes.length;) {
    const start = at + overhead.before
    const end = start + bytes.readUInt32BE(at)
    if (end + overhead.after > bytes.length) break
    budget.spend('parts')
    yield { type: bytes.toString('latin1', at + 4, start), data: bytes.subarray(start, end), start }
    at = end + overhead.after
  }
}

/**
 * Measures the decompressed texts and colour profile of a PNG, because decoders decompress them at any size.
 * @throws FileTooComplex when one is larger than `maxTextLength`
 */
export function measureTexts(bytes: Buffer, budget: Budget): void {
  for (const { type, data } of readChunks(bytes, budget)) {
    if (!/^(iTXt|tEXt|zTXt|iCCP)$/.test(type)) continue
    budget.spend('blocks')
    const text = readText(type, data.subarray(data.indexOf(0) + 1), budget)
    if (text === 'too long') throw new FileTooComplex('metadata')
  }
}

/**
 * Removes the location from a PNG in place: from Exif data (eXIf) and from texts that name a location. Returns whether the file changed.
 */
export function stripPng(bytes: Buffer, budget: Budget): boolean {
  let isChanged = false
  for (const { type, data, start } of readChunks(bytes, budget)) {
    const isStripped = type === 'eXIf' ? blankGps(data, budget) : /^(iTXt|tEXt|zTXt)$/.test(type) && containsLocation(type, data, budget)
    if (!isStripped) continue
    const typeAndData = bytes.subarray(start - 4, start + data.length)
    if (type !== 'eXIf') blankText(typeAndData)
    bytes.writeUInt32BE(zlib.crc32(typeAndData), start + data.length)
    isChanged = true
  }
  return isChanged
}

/** Writes an uncompressed comment of spaces of the same length, which must not change: compressed spaces would be shorter. */
function blankText(typeAndData: Buffer): void {
  typeAndData.fill(' ')
  typeAndData.write(comment, 'latin1')
}

function containsLocation(type: string, data: Buffer, budget: Budget): boolean {
  if (data.length < comment.length) return false // too short for a location
  budget.spend('blocks')
  const separator = data.indexOf(0)
  const keyword = data.toString('latin1', 0, Math.max(separator, 0))
  const text = readText(type, data.subarray(separator + 1), budget)
  if (text === null || text === 'too long' || namesLocation(keyword) || namesLocation(text.toString('latin1'))) return true
  // Some programs write whole metadata blocks as hexadecimal text: a name, the length, and lines of digits.
  const block = /^Raw profile type (exif|app1|xmp|iptc)$/i.test(keyword)
    ? /^\s*\S+\s+\d+\s+([\da-f\s]+)/i.exec(text.toString('latin1'))
    : null
  if (!block) return false
  const raw = Buffer.from(block[1]!.replace(/\s+/g, ''), 'hex')
  const tiff = raw.toString('latin1', 0, 6) === 'Exif\0\0' ? raw.subarray(6) : raw
  return blankGps(tiff, budget) || namesLocation(raw.toString('latin1'))
}

/** The text after the keyword, or null when it cannot be decompressed. */
function readText(type: string, rest: Buffer, budget: Budget): Buffer | 'too long' | null {
  if (type === 'tEXt') return rest
  const isCompressed = type !== 'iTXt' || rest[0] === 1
  let compressed = rest.subarray(1)
  if (type === 'iTXt') {
    const language = rest.indexOf(0, 2)
    const translatedKeyword = rest.indexOf(0, language + 1)
    if (language < 0 || translatedKeyword < 0) return null
    compressed = rest.subarray(translatedKeyword + 1)
  }
  if (!isCompressed) return compressed
  try {
    const text = zlib.inflateSync(compressed, { maxOutputLength: maxTextLength })
    budget.spend('metadata', text.length)
    return text
  } catch (error) {
    if (error instanceof FileTooComplex) throw error
    if (!(error instanceof RangeError)) return null
    budget.spend('metadata', maxTextLength)
    return 'too long'
  }
}
