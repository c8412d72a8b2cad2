import { createHmac, hkdfSync } from 'node:crypto'
import { pipeline } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter, generateIdentity } from 'age-encryption'
import { type AgeKey, DamagedError, decrypt, encrypt, readIdentity } from '../../kernel/age.ts'
import { errorCode, isDiskFull } from '../../kernel/errors.ts'
import type { FileStore } from '../../integrations/storage/store.ts'

/** A backup cannot be made or read; the message says why and what to do. */
export class BackupError extends Error {
  /** What a program said, for the terminal only: it may contain anything. */
  output: string | undefined
}

/** Why it failed, for an administrator: never the message of a database or a library, which may contain anything. */
export function problemOf(error: unknown): string {
  if (error instanceof BackupError || error instanceof DamagedError) return error.message
  if (isDiskFull(error)) return 'The disk is full at the place of the backups, or at DATA_DIR. Free some space, or lower BACKUP_KEEP.'
  const code = errorCode(error)
  return `It failed unexpectedly${code ? ` (${code})` : ''}. The server's log has the details.`
}

/** The encrypted objects of a target. Each is a zstd stream in the age format, which `age -d -i identity | zstd -d` opens. */
export type Vault = {
  store: FileStore
  /** Encrypts under a new key. Resolves once the object would survive a crash. */
  put: (key: string, source: AsyncIterable<Uint8Array>) => Promise<Digest>
  /** The bytes as they were. @throws a DamagedError when the object is missing, was altered or cut, or has not the expected content. */
  read: (key: string, expected?: string) => AsyncGenerator<Buffer>
  /** The name of a content: equal for equal bytes, and meaningless without the identity. */
  digest: (source: AsyncIterable<Uint8Array>) => Promise<Digest>
  nameOf: (bytes: Uint8Array) => string
}

export type Digest = { digest: string; size: number }

export const identityKey = 'identity'
export const lostIdentity =
  'The place of the backups is not empty, but has no object named identity, without which its backups cannot be read. ' +
  'Copy it there from another copy of the place, or set BACKUP_TO to an empty folder or a new prefix.'
/** Of 64: half of an HMAC-SHA-256 and a little more. */
const nameLength = 40
const minPassphrase = 16

/**
 * Opens a target. Its objects are encrypted for an identity that the first backup makes and stores there, encrypted with the passphrase.
 * Deriving a key from the passphrase takes seconds on purpose.
 */
export async function openVault(store: FileStore, passphrase: string, options: { create: boolean }): Promise<Vault> {
  if (passphrase.length < minPassphrase)
    throw new BackupError(`BACKUP_PASSPHRASE is missing or has fewer than ${minPassphrase} characters. Backups are encrypted with it.`)
  const stored = await readStoredIdentity(store, passphrase)
  if (stored === null) for await (const _ of store.list()) throw new BackupError(lostIdentity)
  const identity = stored ?? (options.create ? await createIdentity(store, passphrase) : null)
  if (identity === null) throw new BackupError('There are no backups at this place.')
  return vaultOf(store, readIdentity(identity), identity)
}

async function readStoredIdentity(store: FileStore, passphrase: string): Promise<string | null> {
  const stored = await store.get(identityKey)
  if (!stored) return null
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  try {
    return await decrypter.decrypt(new Uint8Array(await new Response(stored.bytes).arrayBuffer()), 'text')
  } catch (error) {
    throw new BackupError('The backups at this place were encrypted with another passphrase. Set BACKUP_PASSPHRASE to that one.', {
      cause: error,
    })
  }
}

async function createIdentity(store: FileStore, passphrase: string): Promise<string> {
  const identity = await generateIdentity()
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  await store.put(identityKey, once(await encrypter.encrypt(identity)))
  // Another process may have been first, or the store may not return what it was given.
  const stored = await readStoredIdentity(store, passphrase)
  if (stored === null) throw new BackupError('The place for backups does not return what was stored there.')
  return stored
}

function vaultOf(store: FileStore, key: AgeKey, identity: string): Vault {
  const names = Buffer.from(hkdfSync('sha256', identity, 'refyne backup', 'names', 32))
  const hmac = () => createHmac('sha256', names)
  const nameOf = (bytes: Uint8Array) => hmac().update(bytes).digest('hex').slice(0, nameLength)

  /** Passes the bytes on and counts them. */
  function counter() {
    const hash = hmac()
    const counted = { digest: '', size: 0 }
    async function* pass<Chunk extends Uint8Array>(source: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
      for await (const chunk of source) {
        hash.update(chunk)
        counted.size += chunk.byteLength
        yield chunk
      }
      counted.digest = hash.digest('hex').slice(0, nameLength)
    }
    return { counted, pass }
  }

  return {
    store,
    nameOf,
    async digest(source) {
      const { counted, pass } = counter()
      for await (const _ of pass(source)) continue
      return counted
    },
    async put(name, source) {
      const { counted, pass } = counter()
      const compressed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
      pipeline(pass(source), compressed, () => {}) // an error reaches the reader of `compressed`
      try {
        await store.put(name, encrypt(key, compressed))
      } finally {
        compressed.destroy() // closes the source of an object that was refused before it was read
      }
      return counted
    },
    async *read(name, expected) {
      const stored = await store.get(name)
      if (!stored) throw new DamagedError(`${name} is missing`)
      const bytes = createZstdDecompress()
      pipeline(decrypt(key, stored.bytes), bytes, () => {})
      const { counted, pass } = counter()
      try {
        yield* pass(bytes as AsyncIterable<Buffer>)
      } catch (error) {
        throw error instanceof DamagedError ? new DamagedError(`${name}: ${error.message}`, { cause: error }) : error
      }
      if (expected && counted.digest !== expected) throw new DamagedError(`${name} has another content`)
    },
  }
}

/** Bytes as a stream of one chunk. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Does the work for each item, several at a time; stops at the first failure. */
export async function forEach<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = eachOf(items)
  const failed = new AbortController()
  const worker = async () => {
    try {
      while (!failed.signal.aborted) {
        const next = await iterator.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      failed.abort()
      throw error
    }
  }
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  const failure = results.find((result) => result.status === 'rejected')
  if (!failure) return
  await iterator.return(undefined)
  throw failure.reason
}

/** A generator hands its items out one after the other, whoever asks. */
async function* eachOf<Item>(items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  yield* items
}
