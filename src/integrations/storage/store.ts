import type { Readable } from 'node:stream'

export type PutOptions = {
  /** Gives the file up with the signal's reason, also while the source says nothing: such a source is for anyone who aborts to close. */
  signal?: AbortSignal
  /** In bytes, where it is known: more or fewer fail. */
  size?: number
}
export type StoredFile = { key: string; modifiedAt: Date; size: number }

/** Bytes of documents, wherever they lie: in a folder (local.ts) or with a service that speaks S3's protocol (s3.ts). */
export type FileStore = {
  /**
   * Stores the bytes under a new key; resolves once they would survive a crash. Nothing is left when `bytes` fails or `signal` aborts.
   * @throws KeyTakenError when the key exists: its bytes stay as they are.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<void>
  /**
   * The bytes as a stream, and the size of the whole file; null when there are none. `range` is the first and the last byte wanted, both
   * counted from 0 and given out; one that ends behind the file is cut.
   * @throws RangeError when the range begins behind the file, and a DamagedFileError, also while the stream is read, when it was altered.
   */
  get(key: string, range?: readonly [first: number, last: number]): Promise<{ size: number; bytes: ReadableStream<Uint8Array> } | null>
  has(key: string): Promise<boolean>
  /** No error when there is nothing. */
  delete(key: string): Promise<void>
  /** Every key with its age, in no order. What writers that died have left unfinished is cleared away once it is a day old. */
  list(): AsyncIterable<StoredFile>
}

export class KeyTakenError extends Error {}

/** An encrypted file is not as it was written. */
export class DamagedFileError extends Error {
  /** Completes "The file is": "altered". */
  readonly problem: string

  constructor(problem: string, key?: string) {
    super(key ? `The file ${key} is ${problem}` : `The file is ${problem}`)
    this.problem = problem
  }
}

/** After this an unfinished file has no one who finishes it. In milliseconds. */
export const unfinishedFor = 24 * 3_600_000

const keys = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/
/** A name in a folder may have 255 bytes. */
const maxKeyLength = 200

export const isKey = (key: string): boolean => key.length <= maxKeyLength && keys.test(key)

/** A key becomes part of a path: whatever could lead out of the folder is a mistake of the caller. */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new Error(`Invalid file key: ${JSON.stringify(key.slice(0, maxKeyLength))}`)
}

export function checkRange([first, last]: readonly [number, number]): void {
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || first < 0 || last < first)
    throw new RangeError(`Invalid byte range: ${first} to ${last}`)
}

/** The chunks of a source, until it fails, `signal` aborts, or it has not the size that was said. */
export async function* chunksOf(bytes: AsyncIterable<Uint8Array>, { signal, size }: PutOptions): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]()
  let isOver = false
  let seen = 0
  try {
    for (;;) {
      const next = await nextUnlessAborted(source, signal)
      if (next.done) break
      seen += next.value.byteLength
      if (size !== undefined && seen > size) throw new Error(`The source has more than the declared ${size} bytes`)
      yield next.value
    }
    isOver = true
    if (size !== undefined && seen < size) throw new Error(`The source ended after ${seen} of ${size} bytes`)
  } finally {
    // Not awaited: a generator that hangs closes when it goes on.
    if (!isOver) void Promise.resolve(source.return?.()).catch(() => {})
  }
}

/** A listener for each chunk: one promise for all of them would hold every chunk that was raced against it. */
function nextUnlessAborted(source: AsyncIterator<Uint8Array>, signal?: AbortSignal): Promise<IteratorResult<Uint8Array>> {
  if (!signal) return source.next()
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    source
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}

/** For answers over HTTP. Reads one chunk ahead at most, and closes the source when the reader goes away, be it before the first chunk. */
export function webStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  )
}
