import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** The entries of a zip by name, in order. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return entries
}
