/** Where a seal is in a PDF, and the bytes that it covers. The same bytes are written and expected, so this reads no other PDF syntax. */
import { createHash } from 'node:crypto'

/** The most bytes of a seal with its time-stamp; the file reserves twice as many, in hex. */
export const reservedBytes = 8192
/** In a PDF's objects: the name of the signature field, and of the program that sealed. */
export const fieldName = 'Refyne seal'
export const programName = 'Refyne'

const marks = [`/T (${fieldName})`, `/Name /${programName}\n`]

/** `start` and `end` of the seal in hex, with its angle brackets: all else is covered. `signedAt`: as the sealing program says. */
export type Place = { start: number; end: number; signedAt: Date }

/** `damaged`: there is a seal of ours, but not as we write it. `cut`, `appended`: bytes are missing or were added at the end. */
export type Found = Place | 'none' | 'damaged' | 'cut' | 'appended'

const beforeSeal =
  /\/M \(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)\n\/ByteRange \[0 (\d{1,10}) {1,10}(\d{1,10}) {1,10}(\d{1,10}) {0,9}\]\n\/Contents $/

export function findSeal(bytes: Buffer): Found {
  const range = bytes.indexOf('/ByteRange [0 ')
  const at = range === -1 ? -1 : bytes.indexOf('<', range)
  const head = at === -1 ? '' : bytes.toString('latin1', Math.max(at - 200, 0), at)
  const [, year, month, day, hour, minute, second, ...numbers] = beforeSeal.exec(head) ?? []
  const isOurs = marks.some((mark) => bytes.includes(mark, 0, 'latin1'))
  const signedAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(signedAt.getTime())) return isOurs ? 'damaged' : 'none'
  const [length = 0, end = 0, rest = 0] = numbers.map(Number)
  if (length !== at || end - length !== 2 * reservedBytes + 2) return isOurs ? 'damaged' : 'none'
  if (end + rest > bytes.length) return 'cut'
  if (end + rest < bytes.length) return 'appended'
  return { start: length, end, signedAt }
}

/** SHA-256 of all bytes that a seal covers. */
export const coveredDigest = (bytes: Uint8Array, { start, end }: Pick<Place, 'start' | 'end'>): Buffer =>
  createHash('sha256').update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest()

/** A seal as it is in the file: lower-case hex, with zeros after it. @throws if it is longer than the reserved space */
export function sealText(seal: Uint8Array): string {
  if (seal.length > reservedBytes) throw new Error(`The seal takes ${seal.length} bytes of ${reservedBytes}`)
  return `<${Buffer.from(seal)
    .toString('hex')
    .padEnd(2 * reservedBytes, '0')}>`
}

/** The bytes of a seal, whose length its second to fourth byte say. What follows is not looked at. */
export function sealIn(bytes: Buffer, { start }: Place): Buffer {
  const whole = Buffer.from(bytes.toString('latin1', start + 1, start + 1 + 2 * reservedBytes), 'hex')
  return whole.subarray(0, 4 + whole.readUInt16BE(2))
}
