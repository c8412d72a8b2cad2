import zlib from 'node:zlib'
import { blankGps } from './tiff.ts'
import { saysPlace } from './xmp.ts'

const signature = 8
/** Of a chunk: its length, four letters, the data, and a checksum of the letters and the data. */
const around = { before: 8, after: 4 }
const comment = 'tEXtComment\0'
/** Metadata that unpacks to more is not looked at but blanked. In bytes. */
const longestText = 4 * 1024 * 1024

/** Takes where it was taken out of a PNG, in place: from Exif data (eXIf), and from texts that name a place. Returns whether it changed. */
export function stripPng(bytes: Buffer): boolean {
  let isChanged = false
  for (let at = signature; at + around.before + around.after <= bytes.length; ) {
    const end = at + around.before + bytes.readUInt32BE(at)
    if (end + around.after > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    const data = bytes.subarray(at + around.before, end)
    const isTaken = type === 'eXIf' ? blankGps(data) : /^(iTXt|tEXt|zTXt)$/.test(type) && namesPlace(type, data)
    if (isTaken) {
      if (type !== 'eXIf') blankText(bytes.subarray(at + 4, end))
      bytes.writeUInt32BE(zlib.crc32(bytes.subarray(at + 4, end)), end)
      isChanged = true
    }
    at = end + around.after
  }
  return isChanged
}

/** An uncompressed comment of spaces, as long as what it replaces: the length cannot change, and packed spaces would be shorter. */
function blankText(typeAndData: Buffer): void {
  typeAndData.fill(' ')
  typeAndData.write(comment, 'latin1')
}

function namesPlace(type: string, data: Buffer): boolean {
  if (data.length < comment.length) return false // too short for a place
  const separator = data.indexOf(0)
  const keyword = data.toString('latin1', 0, Math.max(separator, 0))
  const text = textOf(type, data.subarray(separator + 1))
  if (text === null || saysPlace(keyword) || saysPlace(text.toString('latin1'))) return true
  // Some programs write whole blocks of metadata as hexadecimal digits: a name, the length, and the digits in lines.
  const block = /^Raw profile type (exif|app1|xmp|iptc)$/i.test(keyword)
    ? /^\s*\S+\s+\d+\s+([\da-f\s]+)/i.exec(text.toString('latin1'))
    : null
  if (!block) return false
  const raw = Buffer.from(block[1]!.replace(/\s+/g, ''), 'hex')
  const tiff = raw.toString('latin1', 0, 6) === 'Exif\0\0' ? raw.subarray(6) : raw
  return blankGps(tiff) || saysPlace(raw.toString('latin1'))
}

/** The text behind the keyword; null when it does not unpack, or to too much. */
function textOf(type: string, rest: Buffer): Buffer | null {
  if (type === 'tEXt') return rest
  const isPacked = type === 'zTXt' || rest[0] === 1
  let packed = rest.subarray(1)
  if (type === 'iTXt') {
    const language = rest.indexOf(0, 2)
    const translated = rest.indexOf(0, language + 1)
    if (language < 0 || translated < 0) return null
    packed = rest.subarray(translated + 1)
  }
  if (!isPacked) return packed
  try {
    return zlib.inflateSync(packed, { maxOutputLength: longestText })
  } catch {
    return null
  }
}
