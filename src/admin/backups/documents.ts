import { DamagedError } from '../../kernel/age.ts'
import { type FileStore, KeyTakenError } from '../../integrations/storage/store.ts'
import { BackupError, forEach, type Digest, type Vault } from './vault.ts'

/** A file of the clinic in a backup. */
export type Document = Digest & { key: string }

const concurrency = 4
/** With more, the store itself has failed. */
const maxUnreadable = 20

/** The clinic's store does not give a file out. */
class UnreadableError extends Error {}

/**
 * Copies the files that the vault has not: a file never changes under its key, so each is copied once, ever. Without its digest from an earlier
 * backup, a file that is there already was stored since, or by a run that was killed, and is read and compared. Continues without the files that
 * the clinic's store does not give out, which are `unreadable`.
 */
export async function copyDocuments(
  files: FileStore,
  vault: Vault,
  stored: ReadonlySet<string>,
  known: ReadonlyMap<string, Digest>,
  onCopied: (size: number) => void,
): Promise<{ documents: Document[]; unreadable: string[] }> {
  const documents: Document[] = []
  const unreadable: string[] = []
  await forEach(files.list(), concurrency, async ({ key }) => {
    const before = stored.has(key) ? known.get(key) : undefined
    const document = before ?? (await copyDocument(files, vault, key, stored.has(key)).catch(noteUnreadable(unreadable, key)))
    if (!document) return
    documents.push({ key, digest: document.digest, size: document.size })
    if (!before) onCopied(document.size)
  })
  return { documents: documents.toSorted((a, b) => (a.key < b.key ? -1 : 1)), unreadable: unreadable.toSorted() }
}

/** Copies files that were stored since. @throws a BackupError at the end if some could not be read. */
export async function copyNewDocuments(files: FileStore, vault: Vault, copied: Set<string>): Promise<void> {
  const unreadable: string[] = []
  await forEach(files.list(), concurrency, async ({ key }) => {
    if (copied.has(key)) return
    try {
      const file = await open(files, key)
      if (file) await vault.put(`files/${key}`, file)
    } catch (error) {
      if (!(error instanceof KeyTakenError)) return void noteUnreadable(unreadable, key)(error)
    }
    copied.add(key)
  })
  if (unreadable.length > 0) throw new BackupError(describeUnreadable(unreadable))
}

export const describeUnreadable = (keys: readonly string[]): string =>
  `${keys.length === 1 ? '1 file of the clinic cannot be read and was' : `${keys.length} files of the clinic cannot be read and were`} not copied: ${keys.join(', ')}.`

const noteUnreadable = (unreadable: string[], key: string) => (error: unknown) => {
  if (!(error instanceof UnreadableError) || unreadable.length >= maxUnreadable) throw error
  unreadable.push(key)
  return null
}

/** The bytes of a file; null when it was deleted. */
async function open(files: FileStore, key: string): Promise<AsyncGenerator<Uint8Array> | null> {
  const unreadable = (cause: unknown) => new UnreadableError('A file cannot be read', { cause })
  const file = await files.get(key).catch((error: unknown) => {
    throw unreadable(error)
  })
  return (
    file &&
    (async function* () {
      const chunks = file.bytes[Symbol.asyncIterator]()
      try {
        for (;;) {
          const next = await chunks.next().catch((error: unknown) => {
            throw unreadable(error)
          })
          if (next.done) return
          yield next.value
        }
      } finally {
        await chunks.return?.().catch(() => {})
      }
    })()
  )
}

/** Copies one file and reads it back; null when it was deleted in the meantime. */
async function copyDocument(files: FileStore, vault: Vault, key: string, isStored: boolean): Promise<Digest | null> {
  const ours = isStored ? await digestOf(files, vault, key) : await put(files, vault, key)
  if (!ours) return null
  try {
    await vault.digest(vault.read(`files/${key}`, ours.digest))
  } catch (error) {
    if (error instanceof DamagedError) await vault.store.delete(`files/${key}`) // the next run stores it again
    throw error
  }
  return ours
}

async function put(files: FileStore, vault: Vault, key: string): Promise<Digest | null> {
  const file = await open(files, key)
  if (!file) return null
  try {
    return await vault.put(`files/${key}`, file)
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error
    return digestOf(files, vault, key)
  }
}

async function digestOf(files: FileStore, vault: Vault, key: string): Promise<Digest | null> {
  const file = await open(files, key)
  return file && vault.digest(file)
}

/** Puts the files back that the store has not. A file with a known digest must have it. Returns why others are missing, by their keys. */
export async function restoreDocuments(
  vault: Vault,
  keys: readonly string[],
  known: ReadonlyMap<string, Digest>,
  files: FileStore,
): Promise<Map<string, string>> {
  const missing = new Map<string, string>()
  await forEach(keys, concurrency, async (key) => {
    await files.put(key, vault.read(`files/${key}`, known.get(key)?.digest)).catch((error: unknown) => {
      if (error instanceof DamagedError) missing.set(key, error.message)
      else if (!(error instanceof KeyTakenError)) throw error
    })
  })
  return missing
}
