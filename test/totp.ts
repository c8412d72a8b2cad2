import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const step = 30_000

/** Decodes base32 (RFC 4648). */
function decodeBase32(secret: string): Buffer {
  let [bits, buffer] = [0, 0]
  const bytes: number[] = []
  for (const letter of secret.toUpperCase().replace(/[\s=]/g, '')) {
    buffer = (buffer << 5) | alphabet.indexOf(letter)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((buffer >> bits) & 0xff)
    buffer &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}

/** The code of an authenticator app: RFC 6238 with SHA-1, six digits, 30 seconds. `steps`: offset in periods of 30 seconds. */
export function codeOf(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / step) + steps))
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** A code that is invalid around the current time. */
export function wrongCode(secret: string): string {
  const valid = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !valid.has(code))!
}
