/**
 * A stand-in for Postmark (api.postmarkapp.com): it speaks the real wire format for POST /email and POST /email/batch, so that the vendor's own
 * client works against it unchanged, keeps what it was given in an outbox and fails on demand.
 *
 *   node simulators/postmark/server.ts --port 4101 [--host 127.0.0.1] [--token TOKEN] [--file outbox.jsonl]
 *
 * Beside the vendor's paths, for people and tests:
 *   GET    /                       the outbox as a page; ?to=address
 *   GET    /_outbox                the outbox as JSON, newest first; ?to=address
 *   DELETE /_outbox                empties it
 *   GET    /_outbox/{id}/html      the HTML version of one mail
 *   POST   /_control/faults        the next requests fail, see faults.ts; GET lists what waits, DELETE forgets it
 *   POST   /_control/inactive      { addresses: [...] }: these bounced, mail to them is refused (406); DELETE reactivates all
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { FaultQueue, faultRequest, standardError } from './faults.ts'
import { readMail, type Refusal } from './message.ts'
import { type AcceptedMail, Outbox } from './outbox.ts'
import { outboxPage } from './outbox-page.ts'

export type PostmarkSimulatorOptions = {
  /** 0, the default, takes a free one. */
  port?: number
  /** The loopback address unless told otherwise: whoever reaches the outbox reads every mail. */
  host?: string
  /** The one server token that is valid; without it any token is. */
  token?: string
  /** Where to keep the outbox, one JSON object per line. */
  file?: string
}

export type PostmarkSimulator = {
  url: string
  /** Newest first. */
  readonly messages: readonly AcceptedMail[]
  stop(): Promise<void>
}

/** Postmark's own limits: 10 MB for a message, 50 MB and 500 messages for a batch. */
const limits = { mailBytes: 10 * 1024 * 1024, batchBytes: 50 * 1024 * 1024, batchMails: 500 }

type Reply = { status: number; body: unknown }

export async function startPostmarkSimulator(options: PostmarkSimulatorOptions = {}): Promise<PostmarkSimulator> {
  const outbox = new Outbox(options.file)
  const faults = new FaultQueue()
  const inactive = new Set<string>()
  const host = options.host ?? '127.0.0.1'

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, { status: 500, body: { ErrorCode: 0, Message: String(error) } })
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://simulator')
    const call = `${request.method} ${url.pathname}`
    const to = url.searchParams.get('to')
    const html = /^GET \/_outbox\/([^/]+)\/html$/.exec(call)?.[1]

    if (call === 'POST /email' || call === 'POST /email/batch')
      return await answerAsPostmark(request, response, call === 'POST /email/batch')
    if (html !== undefined) return sendHtmlVersion(response, outbox.find(decodeURIComponent(html)))
    if (call === 'GET /') return sendPage(response, outboxPage(outbox.list(to), to))
    if (call === 'GET /_outbox') return sendJson(response, { status: 200, body: outbox.list(to) })
    if (call === 'DELETE /_outbox') outbox.clear()
    else if (call === 'GET /_control/faults') return sendJson(response, { status: 200, body: faults.list() })
    else if (call === 'DELETE /_control/faults') faults.clear()
    else if (call === 'DELETE /_control/inactive') inactive.clear()
    else if (call === 'POST /_control/faults' || call === 'POST /_control/inactive') {
      const body = parseJson(await readBody(request, limits.mailBytes))
      const order = call === 'POST /_control/faults' ? faultRequest.safeParse(body) : inactiveRequest.safeParse(body)
      if (!order.success) return sendJson(response, { status: 400, body: { message: z.prettifyError(order.error) } })
      if ('addresses' in order.data) for (const address of order.data.addresses) inactive.add(address.toLowerCase())
      else faults.add(order.data)
    } else return sendJson(response, { status: 404, body: { ErrorCode: 0, Message: `The simulator knows no ${call}.` } })
    response.writeHead(204).end()
  }

  async function answerAsPostmark(request: IncomingMessage, response: ServerResponse, batch: boolean): Promise<void> {
    const body = await readBody(request, batch ? limits.batchBytes : limits.mailBytes)
    const fault = faults.take()
    if (fault && 'timeout' in fault) return // the connection stays open until the caller, or stop(), gives up
    if (fault && 'status' in fault) {
      const usual = standardError(fault.status)
      const error = { ErrorCode: fault.errorCode ?? usual.ErrorCode, Message: fault.message ?? usual.Message }
      return sendJson(response, { status: fault.status, body: error })
    }
    const reply = refuseRequest(request, body, options.token) ?? (batch ? sendBatch(parseJson(body)) : sendOne(parseJson(body)))
    if (fault && 'drop' in fault) {
      response.destroy()
      return
    }
    if (fault && 'badJson' in fault) {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body).slice(0, -12))
      return
    }
    sendJson(response, reply)
  }

  function sendOne(body: unknown): Reply {
    const result = accept(body)
    return { status: result.ErrorCode === 0 ? 200 : 422, body: result }
  }

  /** A batch is answered 200 whatever becomes of its messages; each has its own code. */
  function sendBatch(body: unknown): Reply {
    if (!Array.isArray(body)) return refusal(402, 'Invalid JSON: an array of messages is expected.')
    if (body.length > limits.batchMails) return refusal(410, `Too many batch messages: at most ${limits.batchMails} in one call.`)
    return { status: 200, body: body.map(accept) }
  }

  function accept(body: unknown): Refusal | (Refusal & { To?: string; SubmittedAt: string; MessageID: string }) {
    const read = readMail(body, inactive)
    if ('refusal' in read) return read.refusal
    const accepted = { ...read.mail, MessageID: crypto.randomUUID(), SubmittedAt: new Date().toISOString() }
    outbox.add(accepted)
    const { To, Cc, Bcc, SubmittedAt, MessageID } = accepted
    return { ...(To && { To }), ...(Cc && { Cc }), ...(Bcc && { Bcc }), SubmittedAt, MessageID, ErrorCode: 0, Message: read.note ?? 'OK' }
  }

  const port = await listen(server, options.port ?? 0, host)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    get messages() {
      return outbox.list()
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

const inactiveRequest = z.object({ addresses: z.array(z.string()) })

/** What Postmark refuses before it looks at a message. @returns undefined when the request is in order. */
function refuseRequest(request: IncomingMessage, body: string | undefined, validToken: string | undefined): Reply | undefined {
  const token = request.headers['x-postmark-server-token']
  if (!token || (validToken !== undefined && token !== validToken)) return { status: 401, body: standardError(401) }
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return refusal(409, "JSON required: the request's Content-Type is not application/json.")
  }
  if (body === undefined) return { status: 413, body: { ErrorCode: 0, Message: 'Payload too large.' } }
  return parseJson(body) === undefined ? refusal(402, 'Invalid JSON: the request body could not be read.') : undefined
}

function refusal(ErrorCode: number, Message: string): Reply {
  return { status: 422, body: { ErrorCode, Message } }
}

/** @returns undefined when the body is larger than `limit` bytes; the rest of it is read and forgotten, so that the caller sees the answer. */
async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= limit) parts.push(part)
  }
  return size <= limit ? Buffer.concat(parts).toString('utf8') : undefined
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function sendJson(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

function sendPage(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
}

/** Without scripts and without our origin: a mail is somebody else's HTML. Its links open in new windows. */
function sendHtmlVersion(response: ServerResponse, mail: AcceptedMail | undefined): void {
  if (!mail?.HtmlBody) return sendJson(response, { status: 404, body: { Message: 'There is no such mail, or it has no HTML version.' } })
  response.setHeader('content-security-policy', 'sandbox allow-popups allow-popups-to-escape-sandbox')
  sendPage(response, `<base target="_blank">${mail.HtmlBody}`)
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '4101' }, host: { type: 'string' }, token: { type: 'string' }, file: { type: 'string' } },
  })
  const { port, ...others } = values
  const simulator = await startPostmarkSimulator({ ...others, port: Number(port) })
  console.log(`Postmark simulator: ${simulator.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop())
}
