/** HTTP functions of the simulators. */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'

/** A request, read completely. */
export type Call = { method: string; path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: string; bytes: Buffer }

export type Reply = { status: number; body: unknown; headers?: Record<string, string> }

/** The default limit. The rest of a longer body is dropped, so that it is refused as invalid JSON. */
const maxBodyBytes = 2 * 1024 * 1024

export async function readCall(request: IncomingMessage, limit = maxBodyBytes): Promise<Call> {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= limit) parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  const { method = 'GET', headers } = request
  return { method, path: url.pathname, query: url.searchParams, headers, body: bytes.toString('utf8'), bytes }
}

/** The decoded parts between the slashes. A part that cannot be decoded is left unchanged and matches nothing. */
export function partsOf(path: string): string[] {
  return path.split('/').map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
}

/** @returns undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function sendJson(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers }).end(JSON.stringify(body))
}

export function sendPage(response: ServerResponse, page: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
