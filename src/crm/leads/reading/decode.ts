import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

type Bytes = Uint8Array<ArrayBuffer>
type Decompress = (bytes: Bytes, options: { maxOutputLength: number }) => Promise<Buffer>

// zlib runs on a separate thread and stops once the output exceeds `maxOutputLength` bytes.
const gunzip: Decompress = promisify<Bytes, zlib.ZlibOptions, Buffer>(zlib.gunzip)
const inflate: Decompress = promisify<Bytes, zlib.ZlibOptions, Buffer>(zlib.inflate)
const inflateRaw: Decompress = promisify<Bytes, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)
const brotli: Decompress = promisify<Bytes, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)

const encodings: Record<string, Decompress> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // With the zlib header that HTTP requires, or without it, as many clients send it.
  deflate: (bytes, options) => ((bytes[0]! & 0x0f) === 8 ? inflate(bytes, options) : inflateRaw(bytes, options)),
  br: brotli,
}

/** Decompresses a body, to at most `limit` bytes. Multiple encodings are not supported. */
export async function decompress(bytes: Bytes, encoding: string, limit: number): Promise<Bytes | 'unknown' | 'too-large' | 'unreadable'> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return bytes
  const decode = Object.hasOwn(encodings, name) ? encodings[name] : undefined
  if (!decode) return 'unknown'
  try {
    return new Uint8Array(await decode(bytes, { maxOutputLength: limit }))
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'unreadable'
  }
}

const charsetIn = /;\s*charset\s*=\s*"?([\w.:-]{1,40})"?/i
/** The hidden field `_charset_` of an HTML form. */
const charsetInForm = /(?:^|&)_charset_=([\w.:-]{1,40})(?:&|$)|name="_charset_"\r\n\r\n([\w.:-]{1,40})\r\n/i

/** The declared charset of a body. Null: none declared. 'unknown': not a known charset. */
export function charsetOf(contentType: string, bytes: Bytes): string | null {
  const byteOrderMark = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  const declared = charsetIn.exec(contentType)?.[1] ?? byteOrderMark ?? (/json/i.test(contentType) ? null : charsetOfForm(bytes))
  if (declared === null) return null
  try {
    const { encoding } = new TextDecoder(declared)
    // The decoder reads 'utf-16' as little-endian, but the byte order mark takes precedence.
    return encoding === 'utf-16le' && byteOrderMark ? byteOrderMark : encoding
  } catch {
    return 'unknown'
  }
}

/**
 * Decodes text without a declared charset as UTF-8, or as windows-1252 if it is not valid UTF-8. Browsers send forms of old pages that way
 * without declaring it.
 */
export const decodeUndeclared = (bytes: Uint8Array): string => new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)

function charsetOfForm(bytes: Bytes): string | null {
  const found = charsetInForm.exec(Buffer.from(bytes).toString('latin1'))
  return found?.[1] ?? found?.[2] ?? null
}

const decoderOf = (charset: string | null): ((bytes: Uint8Array) => string) => {
  if (charset === null) return decodeUndeclared
  const decoder = new TextDecoder(charset)
  return (bytes) => decoder.decode(bytes)
}

/**
 * The pairs of a form-encoded body in `charset`, decoded as bytes: in some charsets one letter consists of an escaped and a plain byte.
 * Null: no declared charset; each value is then decoded separately, so that one truncated within a letter does not affect the others.
 */
export function formPairs(bytes: Bytes, charset: string | null): Iterable<[string, string]> {
  if (charset?.startsWith('utf-')) return new URLSearchParams(new TextDecoder(charset).decode(bytes))
  const decodeBytes = decoderOf(charset)
  const decode = (text: string) => {
    const unescaped = text
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return decodeBytes(Buffer.from(unescaped, 'latin1'))
  }
  return Buffer.from(bytes)
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=')
      return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
    })
}

/** A form field, or the name and size of a file. */
type Part = [string, string | { file: string; size: number }]

/**
 * The parts of a multipart body, each in its own charset or in `charset`. Throws if the end is missing. Node's own parser supports only
 * UTF-8 and rejects boundaries of less than 27 characters, which HTTP allows and WordPress sends.
 */
export function multipartPairs(bytes: Bytes, contentType: string, charset: string | null): Part[] {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  if (!boundary) throw new TypeError('no boundary')
  const delimiter = `\r\n--${boundary[1] ?? boundary[2]}`
  const sections = `\r\n${Buffer.from(bytes).toString('latin1')}`.split(delimiter)
  const end = sections.findIndex((section) => section.startsWith('--'))
  if (end < 1) throw new TypeError('no end')
  return sections.slice(1, end).flatMap((section) => {
    const headEnd = section.indexOf('\r\n\r\n')
    if (!section.startsWith('\r\n') || headEnd < 0) throw new TypeError('not a part')
    const [head, content] = [section.slice(0, headEnd), section.slice(headEnd + 4)]
    const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(head)?.[1] ?? ''
    const decodeBytes = decoderOf(charsetIn.exec(/^content-type:(.*)$/im.exec(head)?.[1] ?? '')?.[1] ?? charset)
    const text = (latin1: string) => decodeBytes(Buffer.from(latin1, 'latin1'))
    const quoted = (name: string) => new RegExp(`;\\s*${name}="((?:\\\\"|[^"])*)"`, 'i').exec(disposition)?.[1]
    const [name, file] = [quoted('name'), quoted('filename')]
    if (name === undefined) return []
    return [[text(unescapeName(name)), file === undefined ? text(content) : { file: text(unescapeName(file)), size: content.length }]]
  })
}

const unescapeName = (name: string): string =>
  name.replaceAll('\\"', '"').replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
