/**
 * ASN.1 in DER, its only canonical encoding: each value has exactly one form, so what was read and encoded again must be the same bytes. The
 * reader refuses everything else that BER allows, which is why no library for BER is used where signatures are checked.
 */

export type Bytes = Uint8Array<ArrayBuffer>

/** `bytes`: the whole value, with its tag and length. */
export type Der = { tag: number; content: Uint8Array; bytes: Uint8Array }

/** Input that is not DER, or not of the expected shape. */
export class DerError extends Error {}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

export function encode(tag: number, ...parts: readonly Uint8Array[]): Bytes {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const length = size < 0x80 ? [size] : [0x80 + bytesOf(size).length, ...bytesOf(size)]
  return concatenate([Uint8Array.from([tag, ...length]), ...parts])
}

export const sequence = (...parts: readonly Uint8Array[]): Bytes => encode(tags.sequence, ...parts)
/** A SET OF, whose values DER sorts by their bytes. */
export const setOf = (...parts: readonly Uint8Array[]): Bytes => encode(tags.set, ...parts.toSorted(compare))
/** A constructed value with a context tag, such as [0]. */
export const context = (number: number, ...parts: readonly Uint8Array[]): Bytes => encode(0xa0 + number, ...parts)
export const octets = (bytes: Uint8Array): Bytes => encode(tags.octets, bytes)
export const nothing = (): Bytes => encode(tags.nothing)
export const integer = (value: number): Bytes => encode(tags.integer, positive(Uint8Array.from(bytesOf(value))))
/** A non-negative integer of any size, from its bytes. */
export const bigInteger = (bytes: Uint8Array): Bytes => encode(tags.integer, positive(bytes))

/** An object identifier, as in '1.2.840.113549.1.7.2'. */
export function oid(text: string): Bytes {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return encode(tags.oid, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}

/** Reads one value that fills `bytes`. @throws DerError */
export function readDer(bytes: Uint8Array): Der {
  const [value, ...rest] = valuesIn(bytes)
  if (!value || rest.length > 0) throw new DerError('Not one value')
  return value
}

/** The values in a constructed value with this tag. @throws DerError */
export function partsOf(der: Der | undefined, tag: number): Der[] {
  if (der?.tag !== tag) throw new DerError(`Not a value with the tag ${tag}`)
  return valuesIn(der.content)
}

/** The content of a value with this tag. @throws DerError */
export function contentOf(der: Der | undefined, tag: number): Uint8Array {
  if (der?.tag !== tag) throw new DerError(`Not a value with the tag ${tag}`)
  return der.content
}

/** An object identifier as text. @throws DerError */
export function readOid(der: Der | undefined): string {
  const content = contentOf(der, tags.oid)
  const numbers: number[] = []
  let number = 0
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f)
    if (number > Number.MAX_SAFE_INTEGER / 128) throw new DerError('An object identifier is too long')
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0
  }
  const [first = 0, ...rest] = numbers
  const top = Math.min(Math.floor(first / 40), 2)
  const text = [top, first - top * 40, ...rest].join('.')
  if (compare(oid(text), der!.bytes) !== 0) throw new DerError('Not an object identifier')
  return text
}

/** A GeneralizedTime such as 20261127120000.5Z, to the millisecond. @throws DerError */
export function readTime(der: Der | undefined): Date {
  const text = String.fromCharCode(...contentOf(der, tags.generalizedTime))
  const [, year, month, day, hour, minute, second, fraction = ''] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(text) ?? []
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`)
  if (Number.isNaN(time.getTime())) throw new DerError('Not a time')
  return time
}

function concatenate(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Below zero, zero or above, as `a` comes before, is or comes after `b`. */
export function compare(a: Uint8Array, b: Uint8Array): number {
  const different = a.findIndex((byte, at) => byte !== b[at])
  return different === -1 ? a.length - b.length : a[different]! - (b[different] ?? -1)
}

function valuesIn(bytes: Uint8Array): Der[] {
  const values: Der[] = []
  for (let at = 0; at < bytes.length;) {
    const value = valueAt(bytes, at)
    values.push(value)
    at += value.bytes.length
  }
  return values
}

function valueAt(bytes: Uint8Array, at: number): Der {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerError('Not a value')
  let [start, size] = [at + 2, first]
  if (first >= 0x80) {
    const count = first - 0x80
    if (count < 1 || count > 4) throw new DerError('Not a length')
    start += count
    size = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
    if (size < 0x80 || bytesOf(size).length !== count) throw new DerError('Not the shortest length')
  }
  if (start + size > bytes.length) throw new DerError('The value is cut off')
  return { tag, content: bytes.subarray(start, start + size), bytes: bytes.subarray(at, start + size) }
}

/** The bytes of a non-negative number, at least one. */
function bytesOf(value: number): number[] {
  const bytes = [value % 256]
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

/** The shortest bytes of a non-negative integer: the first bit is its sign. */
function positive(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0)
  const shortest = start === -1 ? Uint8Array.of(0) : bytes.subarray(start)
  return shortest[0]! >= 0x80 ? concatenate([Uint8Array.of(0), shortest]) : shortest
}

function base128(value: number): number[] {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 + (rest % 128))
  return bytes
}
