import { DamagedError } from '../../kernel/age.ts'
import { type FileStore, KeyTakenError } from '../../integrations/storage/store.ts'
import { forEach, type Digest, type Vault } from './vault.ts'

/** A file of the clinic in a backup. */
export type Document = Digest & { key: string }

const concurrency = 4

/**
 * Copies the files that the vault has not: a file never changes under its key, so each is copied once, ever. Without its digest from an earlier
 * backup, a file that is there already was stored since, or by a run that was killed, and is read and compared.
 */
export async function copyDocuments(
  files: FileStore,
  vault: Vault,
  stored: ReadonlySet<string>,
  known: ReadonlyMap<string, Digest>,
  onCopied: (size: number) => void,
): Promise<Document[]> {
  const documents: Document[] = []
  await forEach(files.list(), concurrency, async ({ key }) => {
    const before = stored.has(key) ? known.get(key) : undefined
    const document = before ?? (await copyDocument(files, vault, key, stored.has(key)))
    if (!document) return
    documents.push({ key, digest: document.digest, size: document.size })
    if (!before) onCopied(document.size)
  })
  return documents.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** Copies files that were stored since; returns how many. */
export async function copyNewDocuments(files: FileStore, vault: Vault, copied: Set<string>): Promise<number> {
  let count = 0
  await forEach(files.list(), concurrency, async ({ key }) => {
    if (copied.has(key)) return
    await put(files, vault, key)
    copied.add(key)
    count++
  })
  return count
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
  const file = await files.get(key)
  if (!file) return null
  try {
    return await vault.put(`files/${key}`, file.bytes)
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error
    return digestOf(files, vault, key)
  }
}

async function digestOf(files: FileStore, vault: Vault, key: string): Promise<Digest | null> {
  const file = await files.get(key)
  return file && vault.digest(file.bytes)
}

/** Puts the files back that the store has not. A file with a known digest must have it. */
export async function restoreDocuments(
  vault: Vault,
  keys: readonly string[],
  known: ReadonlyMap<string, Digest>,
  files: FileStore,
): Promise<void> {
  await forEach(keys, concurrency, async (key) => {
    await files.put(key, vault.read(`files/${key}`, known.get(key)?.digest)).catch((error: unknown) => {
      if (!(error instanceof KeyTakenError)) throw error
    })
  })
}
