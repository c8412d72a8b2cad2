import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { limitTime, defaultTime } from './request-time.ts'
import { sendBytes } from './send-bytes.ts'

type Fetch = Parameters<typeof getRequestListener>[0]

const refusals: Record<number, { code: string; message: string }> = {
  400: { code: 'BAD_REQUEST', message: 'This is not a valid HTTP request' },
  408: { code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time' },
  500: { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong' },
  431: { code: 'HEADERS_TOO_LARGE', message: 'The URL and headers of a request can have at most 16 KiB' },
}
/** Longer than proxies keep an idle connection (60 s is common): else they send a request on one that is being closed. */
const idleTimeoutMs = 75_000

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** `close` accepts no new connections, lets open requests be answered, then ends every connection. */
type Listening = { server: Server; close: () => Promise<void> }

/**
 * Listens for HTTP requests. Malformed requests that do not reach the application get errors in the API's format too.
 * @param time milliseconds within which a request has to arrive, unless it is given more (request-time.ts).
 */
export function listen(fetch: Fetch, hostname: string, port: number, time: number = defaultTime): Promise<Listening> {
  const errorHandler = (error: unknown) => {
    const status = error instanceof RequestError ? 400 : 500
    return Response.json(refusals[status], { status })
  }
  // Files are sent by `sendBytes`.
  const answer: Fetch = async (request, env) => {
    const response = (await fetch(request, env)) as Response
    const isFile = response.headers.has('content-disposition')
    return isFile && (await sendBytes(response, (env as HttpBindings).outgoing)) ? RESPONSE_ALREADY_SENT : response
  }
  const listener = getRequestListener(answer, { hostname, errorHandler })
  const unanswered = new Set<ServerResponse>()
  const server = createServer({ requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: idleTimeoutMs }, (request, response) => {
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
    limitTime(request, time, () => {
      if (response.headersSent) request.socket.destroy()
      else
        server.emit(
          'clientError',
          Object.assign(new Error('The request took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
          request.socket,
        )
    })
    void listener(request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const status = statuses[error.code ?? ''] ?? 400
    const body = JSON.stringify(refusals[status])
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    // Node does not count a connection as idle that has sent nothing yet, such as one that a browser opened ahead.
    const closing = setInterval(() => (unanswered.size === 0 ? server.closeAllConnections() : server.closeIdleConnections()), 50)
    await closed
    clearInterval(closing)
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, () => {
      server.off('error', reject)
      resolve({ server, close })
    })
  })
}
