/**
 * The format of an encrypted file: a header with the file's own key, encrypted with one of the installation's keys, then the content in pieces,
 * each authenticated with its place and whether it is the last. AES-256-GCM throughout. Reading needs no more than the pieces that are read.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { inChunks } from '../../shared/chunks.ts'
import { DamagedFileError } from './store.ts'

/** A key that encrypts the keys of files. Its id names it without revealing it: eight hexadecimal digits. */
export type FileKey = { id: string; bytes: Buffer }

const cipher = 'aes-256-gcm'
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16]
/** Names the format, with its version. */
const magic = Buffer.from('refyne-1', 'latin1')
export const headerBytes = magic.length + nonceBytes + keyBytes + tagBytes
const pieceBytes = 256 * 1024
const storedPieceBytes = pieceBytes + tagBytes

/** In bytes, of the content. @throws a DamagedFileError for a size that no encrypted file has. */
export function contentSize(storedSize: number): number {
  const size = storedSize - headerBytes - piecesIn(storedSize) * tagBytes
  if (size < 0) throw new DamagedFileError('cut short')
  return size
}

const piecesIn = (storedSize: number): number => Math.max(1, Math.ceil((storedSize - headerBytes) / storedPieceBytes))

/** `name` is authenticated: the file cannot be taken for another one. */
export async function* encryptFile(own: FileKey, name: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const key = randomBytes(keyBytes)
  const nonce = randomBytes(nonceBytes)
  yield Buffer.concat([magic, nonce, encrypt(own.bytes, nonce, key, Buffer.from(name))])
  let place = 0
  for await (const { bytes, isLast } of inChunks(content, pieceBytes)) yield encrypt(key, nonceOf(place++, isLast), bytes)
}

/** The file's own key. @throws a DamagedFileError unless the header was written with this key and name. */
export function openHeader(own: FileKey, name: string, header: Uint8Array): Buffer {
  if (header.byteLength < headerBytes || magic.compare(header, 0, magic.length) !== 0) throw new DamagedFileError('without its header')
  const nonce = header.subarray(magic.length, magic.length + nonceBytes)
  return decrypt(own.bytes, nonce, header.subarray(magic.length + nonceBytes, headerBytes), Buffer.from(name))
}

/** The pieces that have the bytes from `first` to `last` of the content, where they are stored, and what of them is wanted. */
export function piecesOf(storedSize: number, first: number, last: number) {
  const [from, to] = [Math.floor(first / pieceBytes), Math.floor(last / pieceBytes)]
  return {
    pieces: { from, to },
    stored: [headerBytes + from * storedPieceBytes, Math.min(headerBytes + (to + 1) * storedPieceBytes, storedSize) - 1] as const,
    wanted: { from: first - from * pieceBytes, length: last - first + 1 },
  }
}

/** All pieces of a file of that size. */
export const allPieces = (storedSize: number) => ({ from: 0, to: piecesIn(storedSize) - 1 })

/**
 * Decrypts pieces that follow one another; nothing of a piece is given out before all of it is authentic. `read` returns that many of the next stored
 * bytes, fewer at the end of the file, and may use their memory again. @throws a DamagedFileError.
 */
export async function* decryptPieces(
  key: Buffer,
  read: (size: number) => Promise<Uint8Array>,
  { storedSize, pieces }: { storedSize: number; pieces: { from: number; to: number } },
): AsyncGenerator<Buffer> {
  const last = piecesIn(storedSize) - 1
  for (let place = pieces.from; place <= pieces.to; place++)
    yield decrypt(key, nonceOf(place, place === last), await read(storedPieceBytes))
}

/** Each file has a key of its own, so its places are nonces that no key sees twice. */
function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUIntBE(place, 5, 6)
  nonce[nonceBytes - 1] = isLast ? 1 : 0
  return nonce
}

function encrypt(key: Buffer, nonce: Uint8Array, bytes: Uint8Array, name?: Buffer): Buffer {
  const encrypting = createCipheriv(cipher, key, nonce)
  if (name) encrypting.setAAD(name)
  return Buffer.concat([encrypting.update(bytes), encrypting.final(), encrypting.getAuthTag()])
}

function decrypt(key: Buffer, nonce: Uint8Array, bytes: Uint8Array, name?: Buffer): Buffer {
  if (bytes.byteLength < tagBytes) throw new DamagedFileError('cut short')
  const decrypting = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  if (name) decrypting.setAAD(name)
  decrypting.setAuthTag(bytes.subarray(bytes.byteLength - tagBytes))
  const content = decrypting.update(bytes.subarray(0, bytes.byteLength - tagBytes))
  try {
    decrypting.final()
  } catch {
    throw new DamagedFileError('altered')
  }
  return content
}
