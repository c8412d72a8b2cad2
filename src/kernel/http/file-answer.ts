import { Readable } from 'node:stream'

/** Anyone who takes nothing for so long is given up, with what is held for them. In milliseconds. */
const patience = 60_000

type MadeFile = {
  /** As it is saved. */
  name: string
  type: string
  bytes: AsyncIterable<Uint8Array>
  /** Once, whether all of it was sent or not. */
  onEnd?: () => void
}

/** A file to be saved under its name, sent as fast as it is made and taken; anyone who goes away ends the making. */
export function fileAnswer({ name, type, bytes, onEnd }: MadeFile): Response {
  const patiently = async function* () {
    for await (const chunk of bytes) {
      const timer = setTimeout(() => source.destroy(new Error('No one reads this file any more')), patience)
      try {
        yield chunk
      } finally {
        clearTimeout(timer)
      }
    }
  }
  const source = Readable.from(patiently(), { objectMode: true, highWaterMark: 1 })
  source.once('close', () => onEnd?.())
  return new Response(Readable.toWeb(source) as ReadableStream<Uint8Array>, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
  })
}
