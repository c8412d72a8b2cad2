import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'

type Entry = {
  /** The modification time of the entry. */
  at?: Date
  /** Already compressed, like images, so it is stored without compression. */
  isCompressed?: boolean
}

/** Adds an entry. Resolves once its bytes are consumed, so that the next entry can be opened only then. */
export type AddToZip = (name: string, bytes: Buffer | AsyncIterable<Uint8Array | string>, entry?: Entry) => Promise<void>

/**
 * Streams a zip. Only a few chunks of the entries from `fill` are in memory at a time, except Buffers. An error in a source fails the whole
 * zip. If the consumer stops reading, the current source and `fill` are stopped too.
 */
export async function* zipBytes(fill: (add: AddToZip) => Promise<void>): AsyncGenerator<Buffer> {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const fail = (error: unknown) => void output.destroy(error instanceof Error ? error : new Error('The zip was not created'))
  zip.on('error', fail)
  let source: Readable | null = null

  const add: AddToZip = async (name, bytes, { at, isCompressed = false } = {}) => {
    const options = { compress: !isCompressed, ...(at ? { mtime: at } : {}) }
    if (bytes instanceof Buffer) return zip.addBuffer(bytes, name, options)
    source = Readable.from(bytes, { objectMode: true, highWaterMark: 1 })
    if (output.destroyed) source.destroy(new Error('The consumer stopped reading'))
    else zip.addReadStream(source, name, options)
    await finished(source)
  }

  void fill(add).then(() => zip.end(), fail)
  try {
    for await (const chunk of output) yield chunk as Buffer
  } finally {
    ;(source as Readable | null)?.destroy()
  }
}
