import { randomBytes } from 'node:crypto'
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AgeKey, DamagedError, decrypt, encrypt, readIdentity } from './age.ts'

let identity: string
let key: AgeKey
beforeAll(async () => {
  identity = await generateIdentity()
  key = readIdentity(identity)
})

async function* parts(bytes: Uint8Array, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const all = async (source: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(source))
const sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 300_000]

describe('the age format', () => {
  it.each(sizes)('of %i bytes is read by the age library, and the library’s by us', async (size) => {
    const bytes = randomBytes(size)
    const ours = await all(encrypt(key, parts(bytes)))
    const library = new Decrypter()
    library.addIdentity(identity)
    expect(Buffer.from(await library.decrypt(ours)).equals(bytes)).toBe(true)
    const encrypter = new Encrypter()
    encrypter.addRecipient(await identityToRecipient(identity))
    expect((await all(decrypt(key, parts(await encrypter.encrypt(bytes))))).equals(bytes)).toBe(true)
  })

  it('refuses an object that is cut, lengthened or altered anywhere, and another key', async () => {
    const sealed = await all(encrypt(key, parts(randomBytes(140_000))))
    const opens = (bytes: Uint8Array, by = key) => all(decrypt(by, parts(bytes)))
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const altered = Buffer.from(sealed)
        altered[at]! ^= change
        await expect(opens(altered)).rejects.toThrow(DamagedError)
        await expect(opens(sealed.subarray(0, at))).rejects.toThrow(DamagedError)
      }),
      { numRuns: 60 },
    )
    await expect(opens(Buffer.concat([sealed, Buffer.alloc(1)]))).rejects.toThrow(DamagedError)
    await expect(opens(sealed, readIdentity(await generateIdentity()))).rejects.toThrow(DamagedError)
  })
})
