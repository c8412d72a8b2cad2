import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const step = 30_000

/** RFC 4648. */
function bytesOf(secret: string): Buffer {
  let [bits, held] = [0, 0]
  const bytes: number[] = []
  for (const letter of secret.toUpperCase().replace(/[\s=]/g, '')) {
    held = (held << 5) | alphabet.indexOf(letter)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}

/** What an authenticator shows for a secret: RFC 6238 with SHA-1, six digits, thirty seconds. `steps`: so many half minutes from now. */
export function codeOf(secret: string, steps = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / step) + steps))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** Six digits that it shows at no time near. */
export function wrongCodeOf(secret: string): string {
  const shown = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !shown.has(code))!
}
