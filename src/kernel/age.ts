import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { bech32 } from '@scure/base'
import { inChunks } from '../shared/chunks.ts'

/**
 * The age file format (age-encryption.org/v1) for one X25519 key, with Node's own cryptography: the kept library `age-encryption` is written in
 * JavaScript and encrypts 17 MB/s where this does hundreds. The tests read and write with the library, and the `age` program opens the files.
 */
export type AgeKey = { privateKey: KeyObject; publicKey: Buffer }

/** The object could not be decrypted: another key, cut short, or altered. */
export class DamagedError extends Error {}

const cipher = 'chacha20-poly1305'
const tagBytes = 16
const chunkBytes = 64 * 1024
const intro = 'age-encryption.org/v1\n-> X25519 '
/** Of a file with one X25519 recipient: all parts have a fixed length. */
const headerBytes = intro.length + 43 + 1 + 43 + 1 + 4 + 43 + 1
const nonceBytes = 16

/** The key of an identity such as AGE-SECRET-KEY-1…, which `generateIdentity` of the library makes. */
export function readIdentity(identity: string): AgeKey {
  const { prefix, bytes } = bech32.decodeToBytes(identity.trim())
  if (prefix.toUpperCase() !== 'AGE-SECRET-KEY-') throw new DamagedError('This is not an age identity')
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), bytes])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: rawOf(createPublicKey(privateKey)) }
}

/** Encrypts a stream. Each chunk is authenticated, as are their order and number. */
export async function* encrypt({ publicKey }: AgeKey, source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(16)
  const ephemeral = generateKeyPairSync('x25519')
  const share = rawOf(ephemeral.publicKey)
  const wrapped = sealChunk(wrapKey(ephemeral.privateKey, publicKey, share, publicKey), Buffer.alloc(12), fileKey)
  const header = `${intro}${base64(share)}\n${base64(wrapped)}\n---`
  const nonce = randomBytes(nonceBytes)
  yield Buffer.concat([Buffer.from(`${header} ${base64(macOf(fileKey, header))}\n`), nonce])
  const key = derive(fileKey, nonce, 'payload')
  let counter = 0
  for await (const { bytes, isLast } of inChunks(source, chunkBytes)) yield sealChunk(key, chunkNonce(counter++, isLast), bytes)
}

/** @throws a DamagedError unless every byte is as it was written. */
export async function* decrypt(own: AgeKey, source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [key, counter, start] = [null as Buffer | null, 0, Buffer.alloc(0)]
  const rest = (async function* () {
    for await (const part of source) {
      if (key) yield part
      else {
        start = Buffer.concat([start, part])
        if (start.length < headerBytes + nonceBytes) continue
        key = openHeader(own, start)
        yield start.subarray(headerBytes + nonceBytes)
      }
    }
    if (!key) throw new DamagedError('The object is cut short')
  })()
  for await (const { bytes, isLast } of inChunks(rest, chunkBytes + tagBytes)) yield openChunk(key!, chunkNonce(counter++, isLast), bytes)
}

function openHeader({ privateKey, publicKey }: AgeKey, start: Buffer): Buffer {
  const text = start.toString('latin1', 0, headerBytes)
  const [, share = '', wrapped = '', mac = ''] =
    /^age-encryption\.org\/v1\n-> X25519 ([\w+/]{43})\n([\w+/]{43})\n--- ([\w+/]{43})\n$/.exec(text) ?? []
  if (!mac) throw new DamagedError('The object is not in the age format')
  const theirs = Buffer.from(share, 'base64')
  const fileKey = openChunk(wrapKey(privateKey, theirs, theirs, publicKey), Buffer.alloc(12), Buffer.from(wrapped, 'base64'))
  if (!timingSafeEqual(macOf(fileKey, text.slice(0, headerBytes - 45)), Buffer.from(mac, 'base64')))
    throw new DamagedError('The header of the object was altered')
  return derive(fileKey, start.subarray(headerBytes, headerBytes + nonceBytes), 'payload')
}

const derive = (secret: Uint8Array, salt: Uint8Array, info: string) => Buffer.from(hkdfSync('sha256', secret, salt, info, 32))
const macOf = (fileKey: Uint8Array, header: string) =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(header)
    .digest()
const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function wrapKey(privateKey: KeyObject, theirs: Buffer, share: Buffer, recipient: Buffer): Buffer {
  const spki = Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), theirs])
  const shared = diffieHellman({ privateKey, publicKey: createPublicKey({ key: spki, format: 'der', type: 'spki' }) })
  return derive(shared, Buffer.concat([share, recipient]), 'age-encryption.org/v1/X25519')
}

/** The last 32 bytes of its DER form. */
const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-32)

function chunkNonce(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(counter, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function sealChunk(key: Buffer, nonce: Buffer, bytes: Uint8Array): Buffer {
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  return Buffer.concat([sealing.update(bytes), sealing.final(), sealing.getAuthTag()])
}

function openChunk(key: Buffer, nonce: Buffer, bytes: Uint8Array): Buffer {
  if (bytes.length < tagBytes) throw new DamagedError('The object is cut short')
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  opening.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(bytes.subarray(0, -tagBytes)), opening.final()])
  } catch {
    throw new DamagedError('The object was encrypted with another key, cut short or altered')
  }
}
