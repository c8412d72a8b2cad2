import { createHash, randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { checkKey, checkRange, chunksOf, type FileStore, isKey, KeyTakenError, type StoredFile, unfinishedFor } from './store.ts'

/** Beside the files, so that a rename moves no bytes. */
const unfinished = 'unfinished'
/** In bytes, for anyone who reads without a buffer of their own. */
const pieceSize = 64 * 1024

/**
 * Files in a folder that no one else may read, spread over 256 folders in it. A key's slashes are dots in the name of its file, which lies no
 * deeper for them. One process that has the same key twice is refused; two that make the same new key at once are the caller's mistake.
 */
export function openLocalStore(folder: string): FileStore {
  const fileOf = (key: string) => {
    checkKey(key)
    return path.join(folder, createHash('sha256').update(key).digest('hex').slice(0, 2), key.replaceAll('/', '.'))
  }

  return {
    async put(key, bytes, options = {}) {
      const file = fileOf(key)
      if (await stats(file)) throw new KeyTakenError(`There is a file ${key} already`)
      const temporary = path.join(folder, unfinished, randomUUID())
      await makeFolder(path.dirname(temporary))
      try {
        await write(temporary, chunksOf(bytes, options))
        await makeFolder(path.dirname(file))
        options.signal?.throwIfAborted()
        await fs.rename(temporary, file)
      } catch (error) {
        await fs.rm(temporary, { force: true })
        throw error
      }
      // Up to the folder that was there before: each holds the name of the one below.
      for (const changed of [path.dirname(file), folder, path.dirname(folder)]) await syncFolder(changed)
    },

    async get(key, range) {
      if (range) checkRange(range)
      const handle = await fs.open(fileOf(key)).catch(nullIfAbsent)
      if (!handle) return null
      try {
        const { size } = await handle.stat()
        const [first, last] = range ?? [0, size - 1]
        if (range && first >= size) throw new RangeError(`${key} has ${size} bytes, none at ${first}`)
        return { size, bytes: bytesOf(handle, first, Math.min(last, size - 1)) }
      } catch (error) {
        await handle.close()
        throw error
      }
    },

    async has(key) {
      return (await stats(fileOf(key))) !== null
    },

    async delete(key) {
      await fs.rm(fileOf(key), { force: true })
    },

    async *list() {
      await clearUnfinished(path.join(folder, unfinished))
      for await (const part of entriesOf(folder)) {
        if (part.isDirectory() && /^[0-9a-f]{2}$/.test(part.name)) yield* filesIn(path.join(folder, part.name))
      }
    },
  }
}

/**
 * A stream of bytes, not of pieces: anyone who has a buffer of their own (`getReader({ mode: 'byob' })`) has it filled again and again. New memory
 * for each piece makes V8 look through the whole heap several times a second, which costs more than the files do.
 */
function bytesOf(handle: FileHandle, first: number, last: number): ReadableStream<Uint8Array> {
  let at = first
  return new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: pieceSize,
    async pull(controller) {
      const request = controller.byobRequest!
      try {
        if (at <= last) {
          const view = request.view as Uint8Array
          const { bytesRead } = await handle.read(view, 0, Math.min(view.byteLength, last + 1 - at), at)
          if (bytesRead === 0) throw new Error('The file became shorter while it was read')
          at += bytesRead
          return request.respond(bytesRead)
        }
        await handle.close()
        controller.close()
        request.respond(0)
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    cancel: () => handle.close(),
  })
}

async function write(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await fs.open(file, 'wx', 0o600)
  try {
    // writeFile goes on where the last one ended, and unlike write it never stops half way.
    for await (const chunk of chunks) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const makeFolder = (folder: string) => fs.mkdir(folder, { recursive: true, mode: 0o700 })

/** A file's name survives a crash once its folder is on the disk. Windows opens no folders, and writes them through. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await fs.open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* filesIn(folder: string): AsyncGenerator<StoredFile> {
  for await (const entry of entriesOf(folder)) {
    const key = entry.name.replaceAll('.', '/')
    const found = entry.isFile() && isKey(key) ? await stats(path.join(folder, entry.name)) : null
    if (found) yield { key, modifiedAt: found.mtime, size: found.size }
  }
}

async function clearUnfinished(folder: string): Promise<void> {
  for await (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name)
    const found = entry.isFile() ? await stats(file) : null
    if (found && found.mtimeMs < Date.now() - unfinishedFor) await fs.rm(file, { force: true })
  }
}

/** Nothing when there is no such folder. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  const entries = await fs.opendir(folder).catch(nullIfAbsent)
  if (entries) yield* entries
}

const stats = (file: string) => fs.stat(file).catch(nullIfAbsent)

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
