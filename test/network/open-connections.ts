import http from 'node:http'

export type PlainRequest = { method: string; path: string; headers: Record<string, string>; body: string | null }

/** Connections that stay open from one request to the next, `count` at most, for thousands of requests that any HTTP client would send. */
export function openConnections(count: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: count })
  return {
    send: (url: string, { method, path, headers, body }: PlainRequest) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) }
        const request = http.request(url + path, { agent, method, headers: { ...headers, ...length } }, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => (text += chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
          response.on('error', reject)
        })
        request.setTimeout(60_000, () => request.destroy(new Error(`No response within a minute: ${method} ${path.slice(0, 120)}`)))
        request.on('error', reject)
        request.end(body ?? undefined)
      }),
    close: () => agent.destroy(),
  }
}
