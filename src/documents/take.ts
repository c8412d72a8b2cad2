import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '../kernel/scope.ts'
import { type FileRefusalCode, fileRefusals } from './contract.ts'
import { examine } from './inspection/file-pools.ts'
import { type FileKind, safeName } from './rules.ts'

/** Why a file was not taken; the code is one of `fileRefusals`. */
export class FileRefused extends Error {
  readonly code: FileRefusalCode

  constructor(code: FileRefusalCode) {
    super(fileRefusals[code].message)
    this.code = code
  }
}

/** Where files lie while they are looked at. */
export const incomingFolder = (env: Scope['env']): string => path.join(env.DATA_DIR, 'incoming')

/** A file whose bytes are kept: what a document's row says of it. */
export interface TakenFile {
  id: string
  name: string
  mimeType: FileKind
  size: number
  sha256: string
  storageKey: string
}

/**
 * Takes a file: its bytes onto the disk, bit by bit, read there by a worker for what they are, and then into the file store. Anyone who calls writes
 * the row afterwards, so that there is never a row without bytes; bytes without a row are swept. Throws a FileRefused.
 */
export async function takeFile(scope: Scope, given: { name: string; limit: number }, bytes: AsyncIterable<Uint8Array>): Promise<TakenFile> {
  const file = await receiveFile(scope, given.limit, bytes)
  return keepFile(scope, { name: given.name, file })
}

/** The first half of `takeFile`: nothing is read of the bytes. Answers where they lie, for `keepFile` or to be removed. Throws a FileRefused. */
export async function receiveFile(scope: Scope, limit: number, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const folder = incomingFolder(scope.env)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, randomUUID())
  try {
    await write(file, unlessStalled(scope, bytes), limit)
    return file
  } catch (error) {
    await fs.rm(file, { force: true })
    throw error
  }
}

/** The other half: reads what has been received, and keeps it. The file that was received is gone afterwards. Throws a FileRefused. */
export async function keepFile(scope: Scope, given: { name: string; file: string }): Promise<TakenFile> {
  const { file } = given
  try {
    const name = safeName(given.name)
    const seen = await examine(scope.actor ? 'staff' : 'outside', { file, name })
    if ('refusal' in seen) throw new FileRefused(seen.refusal)
    const { kind: mimeType, size, sha256 } = seen
    const id = uuidv7()
    const storageKey = `documents/${id}`
    await scope.files.put(storageKey, createReadStream(file), { size })
    return { id, name, mimeType, size, sha256, storageKey }
  } finally {
    await fs.rm(file, { force: true })
  }
}

async function write(file: string, bytes: AsyncIterable<Uint8Array>, limit: number): Promise<void> {
  const handle = await fs.open(file, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of bytes) {
      size += chunk.byteLength
      if (size > limit) throw new FileRefused('FILE_TOO_LARGE')
      await handle.write(chunk)
    }
    if (size === 0) throw new FileRefused('FILE_EMPTY')
  } finally {
    await handle.close()
  }
}

/** Throws a FileRefused after UPLOAD_STALL_SECONDS without a byte: a slow connection goes on, a dead one does not hold on to anything. */
export async function* unlessStalled({ env }: Pick<Scope, 'env'>, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]()
  let timer: NodeJS.Timeout | undefined
  try {
    for (;;) {
      const stalled = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new FileRefused('UPLOAD_STALLED')), env.UPLOAD_STALL_SECONDS * 1000)
      })
      const next = await Promise.race([source.next(), stalled])
      clearTimeout(timer)
      if (next.done) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    // A source that hangs does not answer this either.
    void Promise.resolve(source.return?.()).catch(() => undefined)
  }
}
