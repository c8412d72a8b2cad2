import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { isDiskFull } from '../kernel/errors.ts'
import type { Scope } from '../kernel/scope.ts'
import { type FileRefusalCode, fileRefusals } from './contract.ts'
import { examine, renderMailPicture } from './inspection/file-pools.ts'
import { type FileKind, safeName } from './rules.ts'

/** Thrown when a file is refused; the code is one of `fileRefusals`. */
export class FileRefused extends Error {
  readonly code: FileRefusalCode

  constructor(code: FileRefusalCode) {
    super(fileRefusals[code].message)
    this.code = code
  }
}

/** The folder of files that are being received and inspected. */
export const incomingFolder = (env: Scope['env']): string => path.join(env.DATA_DIR, 'incoming')

/** A stored file, with the values of its document row. */
export interface AcceptedFile {
  id: string
  name: string
  mimeType: FileKind
  size: number
  sha256: string
  storageKey: string
}

/**
 * Receives a file: streams it to disk, inspects it in a worker, and moves it to the file store. The caller inserts the row afterwards, so
 * that there is never a row without bytes; bytes without a row are swept. Throws a FileRefused.
 */
export async function acceptFile(
  scope: Scope,
  options: { name: string; limit: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<AcceptedFile> {
  const file = await receiveFile(scope, options.limit, bytes)
  return storeFile(scope, { name: options.name, file })
}

/**
 * The first half of `acceptFile`: streams the bytes to disk without inspecting them. Returns the path, for `storeFile` or to be deleted.
 * Throws a FileRefused.
 */
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

/** A picture as it is stored for an email, with its size in pixels. */
export type AcceptedPicture = Omit<AcceptedFile, 'sha256'> & { width: number; height: number }

/**
 * Receives a picture for an email: inspected as any file, then drawn again at the size of a page, so that nothing else in it is kept. Throws a
 * FileRefused; FILE_TYPE: it is no picture.
 */
export async function acceptPicture(
  scope: Scope,
  options: { name: string; limit: number },
  bytes: AsyncIterable<Uint8Array>,
): Promise<AcceptedPicture> {
  const file = await receiveFile(scope, options.limit, bytes)
  try {
    const examined = await examine('author', { file, name: safeName(options.name, 'picture') })
    if ('refusal' in examined) throw new FileRefused(examined.refusal)
    if (!examined.kind.startsWith('image/')) throw new FileRefused('FILE_TYPE')
    const drawn = await renderMailPicture({ file, isHeic: examined.kind === 'image/heic' })
    if (!drawn) throw new FileRefused('FILE_BROKEN')
    if ('refusal' in drawn) throw new FileRefused(drawn.refusal)
    const { kind: mimeType, width, height } = drawn
    const size = drawn.bytes.byteLength
    const id = uuidv7()
    const storageKey = `documents/${id}`
    await scope.files.put(storageKey, inOnePiece(drawn.bytes), { size })
    const name = safeName(options.name, 'picture').replace(/\.[^.]*$/, '') + (mimeType === 'image/png' ? '.png' : '.jpg')
    return { id, name, mimeType, size, storageKey, width, height }
  } finally {
    await fs.rm(file, { force: true })
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The second half: inspects a received file and stores it. The received file is deleted afterwards. Throws a FileRefused. */
export async function storeFile(scope: Scope, received: { name: string; file: string }): Promise<AcceptedFile> {
  const { file } = received
  try {
    const name = safeName(received.name)
    const examined = await examine(scope.actor ? 'staff' : 'outside', { file, name })
    if ('refusal' in examined) throw new FileRefused(examined.refusal)
    const { kind: mimeType, size, sha256 } = examined
    const id = uuidv7()
    const storageKey = `documents/${id}`
    await scope.files.put(storageKey, createReadStream(file), { size })
    return { id, name, mimeType, size, sha256, storageKey }
  } finally {
    await fs.rm(file, { force: true })
  }
}

/**
 * Runs what stores the rows of accepted files. When it fails because a disk is full, the files are deleted at once: until they are swept, they
 * would take what is left.
 */
export async function storeRows<Result>(
  { files }: Pick<Scope, 'files'>,
  accepted: readonly Pick<AcceptedFile, 'storageKey'>[],
  store: () => Promise<Result>,
): Promise<Result> {
  try {
    return await store()
  } catch (error) {
    if (isDiskFull(error)) await Promise.all(accepted.map(({ storageKey }) => files.delete(storageKey))).catch(() => {})
    throw error
  }
}

async function write(file: string, bytes: AsyncIterable<Uint8Array>, limit: number): Promise<void> {
  const handle = await fs.open(file, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of bytes) {
      size += chunk.byteLength
      if (size > limit) throw new FileRefused('FILE_TOO_LARGE')
      await handle.writeFile(chunk) // all of it, or an error: write() may stop half way when the disk is nearly full
    }
    if (size === 0) throw new FileRefused('FILE_EMPTY')
  } finally {
    await handle.close()
  }
}

/**
 * Throws a FileRefused after UPLOAD_STALL_SECONDS without a byte, so that slow connections continue and dead ones release their resources.
 */
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
    // A source that hangs does not return from this either.
    void Promise.resolve(source.return?.()).catch(() => undefined)
  }
}
