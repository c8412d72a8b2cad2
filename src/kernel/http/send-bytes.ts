import type { ServerResponse } from 'node:http'

/** In bytes: as much of a file as is in memory at a time. */
const pieceSize = 256 * 1024

/**
 * Sends an answer whose body is a stream of bytes, such as a file's, through one buffer that is filled again and again. False: its body is
 * something else, and nothing was done.
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
    // The client is gone, or the file: an answer that is cut off is seen to be, as its length was said.
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

/** Until the bytes have left the buffer. */
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
