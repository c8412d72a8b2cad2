import { allPieces, contentSize, decryptPieces, encryptFile, type FileKey, headerBytes, openHeader, piecesOf } from './envelope.ts'
import { checkKey, checkRange, chunksOf, DamagedFileError, type FileStore, isKey, KeyTakenError, type PutOptions } from './store.ts'

/** A store whose files are encrypted one by one, and which knows those that are not encrypted with the current key. */
export type EncryptedStore = FileStore & {
  /** The keys of files that are stored in plain text, or with an old key; in no order. */
  outdated(): AsyncIterable<string>
  /**
   * Encrypts a file with the current key. Readers see the same bytes all the time, and a process that is killed leaves the file as it was.
   * @throws a DamagedFileError, and leaves the file where it is.
   */
  reencrypt(key: string): Promise<void>
}

/** A file lies in the inner store under its key behind the id of the key that it is encrypted with; one in plain text under its key alone. */
const places = /^encrypted\/[0-9a-f]{8}\/(.+)$/
const placeOf = (key: string, { id }: FileKey): string => `encrypted/${id}/${key}`

type Range = readonly [first: number, last: number]

type Options = {
  /** The current key, then old ones, with which files can still be read. */
  keys: readonly [current: FileKey, ...old: FileKey[]]
  /** Called with the key of a file that was altered, once for each time that someone asks for it. */
  onDamaged?: ((key: string, problem: string) => void) | undefined
}

/**
 * Encrypts each file with a key of its own, which is stored with the file and encrypted with one of `keys`: the folder or the bucket alone gives
 * nothing away but sizes. The key that a file is encrypted with is part of its place, so that changing keys is copying a file from one place to
 * another, which can stop anywhere.
 */
export function encryptedStore(inner: FileStore, { keys, onDamaged }: Options): EncryptedStore {
  const [current] = keys
  const isCurrent = (place: string) => place.startsWith(placeOf('', current))
  const placesOf = (key: string): { place: string; own: FileKey | null }[] => [
    ...keys.map((own) => ({ place: placeOf(key, own), own })),
    { place: key, own: null },
  ]

  const store: EncryptedStore = {
    async put(key, bytes, options = {}) {
      if (await store.has(key)) throw new KeyTakenError(`There is a file ${key} already`)
      await putEncrypted(key, bytes, options)
    },

    async has(key) {
      checkKey(key)
      const found = await Promise.all(placesOf(key).map(({ place }) => inner.has(place)))
      return found.includes(true)
    },

    get: (key, range) => read(key, range, onDamaged),

    async delete(key) {
      checkKey(key)
      for (const { place } of placesOf(key)) await inner.delete(place)
    },

    async *list() {
      for await (const { key: place, modifiedAt, size } of inner.list()) {
        const key = keyOf(place)
        if (key === null) continue
        const isEncrypted = key !== place
        // One that was killed between copying a file and deleting the old one left both.
        if (!isCurrent(place) && (await inner.has(placeOf(key, current)))) continue
        yield { key, modifiedAt, size: isEncrypted ? listedSize(size) : size }
      }
    },

    async *outdated() {
      for await (const { key: place } of inner.list()) {
        const key = keyOf(place)
        if (key !== null && !isCurrent(place)) yield key
      }
    },

    async reencrypt(key) {
      if (!(await inner.has(placeOf(key, current)))) {
        // Nothing is given out, so nothing is reported: the same file would be each time.
        const found = await read(key)
        if (!found) return
        await putEncrypted(key, found.bytes, { size: found.size }).catch((error: unknown) => {
          if (!(error instanceof KeyTakenError)) throw error
        })
      }
      for (const { place, own } of placesOf(key)) if (own !== current) await inner.delete(place)
    },
  }
  return store

  /** The key of a file at a place; null for a place of a key that is no longer known, which is nothing that can be read. */
  function keyOf(place: string): string | null {
    const key = places.exec(place)?.[1]
    if (key === undefined) return place
    return keys.some((own) => place === placeOf(key, own)) && isKey(key) ? key : null
  }

  async function read(key: string, range?: Range, report?: Options['onDamaged']): ReturnType<FileStore['get']> {
    checkKey(key)
    if (range) checkRange(range)
    const damaged = (error: unknown) => {
      if (!(error instanceof DamagedFileError)) return error
      report?.(key, error.problem)
      return new DamagedFileError(error.problem, key)
    }
    try {
      // The first place once more: the file may have been moved there in the meantime.
      for (const { place, own } of [...placesOf(key), ...placesOf(key).slice(0, 1)]) {
        const found = own ? await open(place, own, key, range, damaged) : await inner.get(place, range)
        if (found) return found
      }
      return null
    } catch (error) {
      throw damaged(error)
    }
  }

  async function putEncrypted(key: string, bytes: AsyncIterable<Uint8Array>, options: PutOptions): Promise<void> {
    const { signal } = options
    await inner.put(placeOf(key, current), encryptFile(current, key, chunksOf(bytes, options)), { ...(signal && { signal }) })
  }

  async function open(
    place: string,
    own: FileKey,
    key: string,
    range: Range | undefined,
    damaged: (error: unknown) => unknown,
  ): ReturnType<FileStore['get']> {
    if (!range) {
      const found = await inner.get(place)
      if (!found) return null
      const source = readerOf(found.bytes)
      try {
        const size = contentSize(found.size)
        const ownKey = openHeader(own, key, await source.read(headerBytes))
        const pieces = decryptPieces(ownKey, source.read, { storedSize: found.size, pieces: allPieces(found.size) })
        return { size, bytes: await byteStream(pieces, source.close, damaged) }
      } catch (error) {
        await source.close()
        throw error
      }
    }
    const start = await inner.get(place, [0, headerBytes - 1])
    if (!start) return null
    const header = Buffer.concat(await Array.fromAsync(start.bytes))
    const size = contentSize(start.size)
    if (range[0] >= size) throw new RangeError(`${key} has ${size} bytes, none at ${range[0]}`)
    const { pieces, stored, wanted } = piecesOf(start.size, range[0], Math.min(range[1], size - 1))
    const found = await inner.get(place, stored)
    if (!found) return null
    const source = readerOf(found.bytes)
    try {
      const decrypted = decryptPieces(openHeader(own, key, header), source.read, { storedSize: start.size, pieces })
      return { size, bytes: await byteStream(cut(decrypted, wanted), source.close, damaged) }
    } catch (error) {
      await source.close()
      throw error
    }
  }
}

/** A list is not given up for one damaged file. */
function listedSize(storedSize: number): number {
  try {
    return contentSize(storedSize)
  } catch {
    return 0
  }
}

type Source = {
  /** That many of the next bytes, fewer at the end. Good until the next call. */
  read: (size: number) => Promise<Uint8Array>
  close: () => Promise<void>
}

/** A file in a folder is read into one buffer again and again; other streams come in chunks of their own. */
function readerOf(stream: ReadableStream<Uint8Array>): Source {
  let reader: ReadableStreamBYOBReader
  try {
    reader = stream.getReader({ mode: 'byob' })
  } catch {
    return chunkReaderOf(stream.getReader())
  }
  let buffer = new ArrayBuffer(0)
  return {
    async read(size) {
      if (buffer.byteLength < size) buffer = new ArrayBuffer(size)
      let filled = 0
      while (filled < size) {
        const { done, value } = await reader.read(new Uint8Array(buffer, filled, size - filled))
        // The memory comes back with each answer.
        if (value) buffer = value.buffer
        if (done) break
        filled += value.byteLength
      }
      return new Uint8Array(buffer, 0, filled)
    },
    close: () => reader.cancel().catch(() => {}),
  }
}

function chunkReaderOf(reader: ReadableStreamDefaultReader<Uint8Array>): Source {
  let rest = new Uint8Array()
  return {
    async read(size) {
      const parts = [rest]
      let length = rest.byteLength
      while (length < size) {
        const { done, value } = await reader.read()
        if (done) break
        parts.push(value as Uint8Array<ArrayBuffer>)
        length += value.byteLength
      }
      const read = parts.length === 1 ? rest : new Uint8Array(Buffer.concat(parts))
      rest = read.subarray(size)
      return read.subarray(0, size)
    },
    close: () => reader.cancel().catch(() => {}),
  }
}

async function* cut(pieces: AsyncIterable<Buffer>, { from, length }: { from: number; length: number }): AsyncGenerator<Buffer> {
  let [skip, left] = [from, length]
  for await (const piece of pieces) {
    const part = piece.subarray(skip, skip + left)
    skip = 0
    left -= part.length
    yield part
  }
}

/**
 * Reads a piece when it is asked for one, and closes the source when the reader goes away. The first is read at once: most files have no other, so
 * that one that was altered is refused before anything is answered.
 */
async function byteStream(
  pieces: AsyncGenerator<Buffer>,
  close: () => Promise<void>,
  failed: (error: unknown) => unknown,
): Promise<ReadableStream<Uint8Array>> {
  let first: IteratorResult<Buffer> | null = await pieces.next()
  return new ReadableStream<Uint8Array>({
    type: 'bytes',
    async pull(controller) {
      try {
        for (;;) {
          const next = first ?? (await pieces.next())
          first = null
          if (next.done) {
            await close()
            controller.close()
            ;(controller as ReadableByteStreamController).byobRequest?.respond(0)
            return
          }
          // A byte stream takes the memory of what it is given, which may be shared with other buffers.
          if (next.value.length > 0) return controller.enqueue(ownMemory(next.value))
        }
      } catch (error) {
        await close()
        throw failed(error)
      }
    },
    cancel: close,
  })
}

const ownMemory = (bytes: Buffer): Uint8Array<ArrayBuffer> =>
  bytes.byteLength === bytes.buffer.byteLength ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
