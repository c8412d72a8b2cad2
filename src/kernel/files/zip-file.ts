import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'

type Entry = {
  /** When it was made, as the unpacked file will say. */
  at?: Date
  /** Its bytes are packed already, as those of pictures are: to pack them again only takes time. */
  isPacked?: boolean
}

/** Resolves once the bytes have been taken: what comes next need not be opened, or made, before. */
export type AddToZip = (name: string, bytes: Buffer | AsyncIterable<Uint8Array | string>, entry?: Entry) => Promise<void>

/**
 * The bytes of a zip, as fast as they are taken: of what `fill` adds no more than a few chunks are in memory, but for what it gives as a
 * Buffer. A source that fails, fails the whole file. Anyone who stops listening ends the reading of the source, and with it `fill`.
 */
export async function* zipBytes(fill: (add: AddToZip) => Promise<void>): AsyncGenerator<Buffer> {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const fail = (error: unknown) => void output.destroy(error instanceof Error ? error : new Error('The file was not made'))
  zip.on('error', fail)
  let source: Readable | null = null

  const add: AddToZip = async (name, bytes, { at, isPacked = false } = {}) => {
    const options = { compress: !isPacked, ...(at ? { mtime: at } : {}) }
    if (bytes instanceof Buffer) return zip.addBuffer(bytes, name, options)
    source = Readable.from(bytes, { objectMode: true, highWaterMark: 1 })
    if (output.destroyed) source.destroy(new Error('No one takes this file any more'))
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
