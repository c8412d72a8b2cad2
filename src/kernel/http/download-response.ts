import { Readable } from 'node:stream'

/** A download is aborted, and its resources are released, if the client reads nothing for this long. In milliseconds. */
const stallTimeoutMs = 60_000

type Download = {
  /** The file name. */
  name: string
  type: string
  bytes: AsyncIterable<Uint8Array>
  /** Called once, whether or not the whole file was sent. */
  onEnd?: () => void
}

/** A streamed download. If the client disconnects, generating the file stops. */
export function downloadResponse({ name, type, bytes, onEnd }: Download): Response {
  const withTimeout = async function* () {
    for await (const chunk of bytes) {
      const timer = setTimeout(() => source.destroy(new Error('The client stopped reading')), stallTimeoutMs)
      try {
        yield chunk
      } finally {
        clearTimeout(timer)
      }
    }
  }
  const source = Readable.from(withTimeout(), { objectMode: true, highWaterMark: 1 })
  source.once('close', () => onEnd?.())
  return new Response(Readable.toWeb(source) as ReadableStream<Uint8Array>, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
  })
}
