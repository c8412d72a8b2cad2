import type { ServerResponse } from 'node:http'

/** The most bytes of a file in memory at a time. */
const pieceSize = 256 * 1024

/**
 * Sends a response whose body is a byte stream, such as a file, reusing one buffer. Returns false, without doing anything, if the body is
 * not a byte stream.
 */
export async function sendBytes({ status, headers, body }: Response, outgoing: ServerResponse): Promise<boolean> {
  const reader = body && byteReader(body)
  if (!reader) return false
  let buffer = new ArrayBuffer(pieceSize)
  try {
    outgoing.setHeaders(headers).writeHead(status)
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer))
      if (done) break
      await write(outgoing, value)
      buffer = value.buffer
    }
    outgoing.end()
  } catch (error) {
    // The client or the file is gone. The client notices a truncated response by its content length.
    await reader.cancel(error).catch(() => {})
    outgoing.destroy()
  }
  return true
}

function byteReader(body: ReadableStream): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

/** Resolves once the bytes have been written. */
const write = (outgoing: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const gone = () => reject(new Error('The client has hung up'))
    if (outgoing.destroyed) return gone()
    outgoing.once('close', gone)
    outgoing.write(bytes, (error) => {
      outgoing.off('close', gone)
      if (error) reject(error)
      else resolve()
    })
  })
