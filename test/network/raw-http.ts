import net from 'node:net'

type RawResponse = { status: number; headers: string; body: string }

/**
 * Writes raw bytes on a new connection and reads until the server closes it, for requests that no HTTP client would send. They should
 * send `connection: close`.
 */
export function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawResponse> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes))
    socket.setTimeout(60_000, () => socket.destroy(new Error(`The response did not end within a minute: ${text}`)))
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('error', (error) => (text === '' ? reject(error) : undefined)) // the server may close before it has read everything
    socket.on('close', () => {
      const [headers = '', ...rest] = text.split('\r\n\r\n')
      const chunked = /^transfer-encoding: *chunked/im.test(headers)
      const body = rest.join('\r\n\r\n')
      resolve({ status: Number(headers.split(' ')[1]), headers, body: chunked ? unchunk(body) : body })
    })
  })
}

/** A raw request with a content length. */
export function rawRequest(method: string, target: string, headers: Record<string, string>, body: string | null = null): string {
  const all = {
    host: 'localhost',
    connection: 'close',
    ...headers,
    ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

function unchunk(text: string): string {
  let complete = ''
  for (let rest = text; ;) {
    const [size = '0'] = rest.split('\r\n', 1)
    const length = Number.parseInt(size, 16)
    if (!length) return complete
    complete += rest.slice(size.length + 2, size.length + 2 + length)
    rest = rest.slice(size.length + 2 + length + 2)
  }
}
