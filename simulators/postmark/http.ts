/** Reads a body up to a limit, and sends JSON or a page. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export type Reply = { status: number; body: unknown }

/** @returns undefined if the body exceeds `limit` bytes; the rest is read and discarded, so that the client gets the response. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= limit) parts.push(part)
  }
  return size <= limit ? Buffer.concat(parts).toString('utf8') : undefined
}

export function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

export function sendJson(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

export function sendPage(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
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
