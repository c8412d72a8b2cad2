import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { Scope } from '../../server/scope.ts'
import { type FileRefusalCode, fileRefusals } from './contract.ts'
import { inspectFile } from './inspect.ts'
import { type FileKind, safeName } from './rules.ts'
import { stripLocation } from './strip-location.ts'

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
 * Takes a file: its bytes onto the disk, bit by bit, looked at there for what they are, and then into the file store. Whoever calls writes the row
 * afterwards, so that there is never a row without bytes; bytes without a row are swept. Throws a FileRefused.
 */
export async function takeFile(scope: Scope, given: { name: string; limit: number }, bytes: AsyncIterable<Uint8Array>): Promise<TakenFile> {
  const folder = incomingFolder(scope.env)
  await fs.mkdir(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, randomUUID())
  try {
    await write(file, unlessStalled(scope, bytes), given.limit)
    const name = safeName(given.name)
    const seen = await inspectFile(file, name)
    if ('refusal' in seen) throw new FileRefused(seen.refusal)
    await stripLocation(file, seen.kind)
    const { size, sha256 } = await measure(file)
    const id = uuidv7()
    const storageKey = `documents/${id}`
    await scope.files.put(storageKey, createReadStream(file), { size })
    return { id, name, mimeType: seen.kind, size, sha256, storageKey }
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

async function measure(file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return { size, sha256: hash.digest('hex') }
}
