import zlib from 'node:zlib'
import { type Budget, FileTooComplex } from './budget.ts'
import { blankGps } from './tiff.ts'
import { saysPlace } from './xmp.ts'

const signature = 8
/** Of a chunk: its length, four letters, the data, and a checksum of the letters and the data. */
const around = { before: 8, after: 4 }
const comment = 'tEXtComment\0'
/** Metadata that unpacks to more is not looked at but blanked. In bytes. */
const maxTextLength = 4 * 1024 * 1024

/** The chunks of a PNG, walked once by their length: their letters, their data, and where that begins. */
function* chunksOf(bytes: Buffer, budget: Budget): Generator<{ type: string; data: Buffer; start: number }> {
  for (let at = signature; at + around.before + around.after <= bytes.length; ) {
    const start = at + around.before
    const end = start + bytes.readUInt32BE(at)
    if (end + around.after > bytes.length) break
    budget.spend('parts')
    yield { type: bytes.toString('latin1', at + 4, start), data: bytes.subarray(start, end), start }
    at = end + around.after
  }
}

/**
 * Anyone who decodes a PNG unpacks its texts and its profile as well, as large as they are: those that unpack to more than is looked at are refused.
 * @throws FileTooComplex
 */
export function measureTexts(bytes: Buffer, budget: Budget): void {
  for (const { type, data } of chunksOf(bytes, budget)) {
    if (!/^(iTXt|tEXt|zTXt|iCCP)$/.test(type)) continue
    budget.spend('blocks')
    const text = textOf(type, data.subarray(data.indexOf(0) + 1), budget)
    if (text === 'too long') throw new FileTooComplex('metadata')
  }
}

/** Takes where it was taken out of a PNG, in place: from Exif data (eXIf), and from texts that name a place. Returns whether it changed. */
export function stripPng(bytes: Buffer, budget: Budget): boolean {
  let isChanged = false
  for (const { type, data, start } of chunksOf(bytes, budget)) {
    const isTaken = type === 'eXIf' ? blankGps(data, budget) : /^(iTXt|tEXt|zTXt)$/.test(type) && namesPlace(type, data, budget)
    if (!isTaken) continue
    const typeAndData = bytes.subarray(start - 4, start + data.length)
    if (type !== 'eXIf') blankText(typeAndData)
    bytes.writeUInt32BE(zlib.crc32(typeAndData), start + data.length)
    isChanged = true
  }
  return isChanged
}

/** An uncompressed comment of spaces, as long as what it replaces: the length cannot change, and packed spaces would be shorter. */
function blankText(typeAndData: Buffer): void {
  typeAndData.fill(' ')
  typeAndData.write(comment, 'latin1')
}

function namesPlace(type: string, data: Buffer, budget: Budget): boolean {
  if (data.length < comment.length) return false // too short for a place
  budget.spend('blocks')
  const separator = data.indexOf(0)
  const keyword = data.toString('latin1', 0, Math.max(separator, 0))
  const text = textOf(type, data.subarray(separator + 1), budget)
  if (text === null || text === 'too long' || saysPlace(keyword) || saysPlace(text.toString('latin1'))) return true
  // Some programs write whole blocks of metadata as hexadecimal digits: a name, the length, and the digits in lines.
  const block = /^Raw profile type (exif|app1|xmp|iptc)$/i.test(keyword)
    ? /^\s*\S+\s+\d+\s+([\da-f\s]+)/i.exec(text.toString('latin1'))
    : null
  if (!block) return false
  const raw = Buffer.from(block[1]!.replace(/\s+/g, ''), 'hex')
  const tiff = raw.toString('latin1', 0, 6) === 'Exif\0\0' ? raw.subarray(6) : raw
  return blankGps(tiff, budget) || saysPlace(raw.toString('latin1'))
}

/** The text behind the keyword; null when it does not unpack. */
function textOf(type: string, rest: Buffer, budget: Budget): Buffer | 'too long' | null {
  if (type === 'tEXt') return rest
  const isPacked = type !== 'iTXt' || rest[0] === 1
  let packed = rest.subarray(1)
  if (type === 'iTXt') {
    const language = rest.indexOf(0, 2)
    const translated = rest.indexOf(0, language + 1)
    if (language < 0 || translated < 0) return null
    packed = rest.subarray(translated + 1)
  }
  if (!isPacked) return packed
  try {
    const text = zlib.inflateSync(packed, { maxOutputLength: maxTextLength })
    budget.spend('metadata', text.length)
    return text
  } catch (error) {
    if (error instanceof FileTooComplex) throw error
    if (!(error instanceof RangeError)) return null
    budget.spend('metadata', maxTextLength)
    return 'too long'
  }
}
