/** Email formats: addresses, encoded words and character sets. */
import addressparser from 'nodemailer/lib/addressparser'
import type { Person } from './mailbox.ts'

/** @param header such as To: names with addresses, and groups. */
export function peopleIn(header: string): Person[] {
  return addressparser(header, { flatten: true })
    .filter(({ address }) => address !== '')
    .map(({ name, address }) => ({ name: decodedWords(name).trim(), email: address }))
}

/** RFC 2047, for servers that do not decode it. Adjacent words are joined first: a character may be split between them. */
export function decodedWords(text: string): string {
  return text.replace(/(\?=)\s+(?==\?)/g, '$1').replace(/(?:=\?[^?\s]+\?[bq]\?[^?\s]*\?=)+/gi, (run) => {
    const groups: { charset: string; bytes: Buffer[] }[] = []
    for (const [, name = '', kind = '', encoded = ''] of run.matchAll(/=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=/gi)) {
      const charset = name.toLowerCase()
      const bytes = kind.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : fromQ(encoded)
      const last = groups.at(-1)
      if (last?.charset === charset) last.bytes.push(bytes)
      else groups.push({ charset, bytes: [bytes] })
    }
    return groups.map(({ charset, bytes }) => decoded(Buffer.concat(bytes), charset)).join('')
  })
}

const fromQ = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll('_', ' ').replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

export const charsetIn = (contentType: string): string => /charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1] ?? ''

/** An unknown character set must not hide the text: bytes that are not UTF-8 are read as Latin. */
function decoded(bytes: Uint8Array, charset: string): string {
  return decoderOf(charset)?.decode(bytes) ?? textOf(bytes, '')
}

/**
 * Gmail usually returns text as UTF-8 but keeps the original character set in the header. So UTF-8 is tried first where possible: a null
 * or an escape indicates UTF-16 or a switching character set.
 */
export function textOf(bytes: Uint8Array, charset: string): string {
  const isSwitching = bytes.includes(0x00) || bytes.includes(0x1b)
  if (!isSwitching || charset === '') {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      // It is something else.
    }
  }
  return (decoderOf(charset) ?? new TextDecoder('windows-1252')).decode(bytes)
}

function decoderOf(charset: string): TextDecoder | null {
  try {
    return charset === '' ? null : new TextDecoder(charset)
  } catch {
    return null
  }
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Decodes HTML entities in a text. */
export function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
