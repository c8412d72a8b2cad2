/**
 * Simulates Postmark (api.postmarkapp.com) in the original wire format of POST /email and POST /email/batch, so that the vendor's own
 * client works against it unchanged. It stores accepted emails in an outbox and injects faults on demand.
 *
 *   node simulators/postmark/server.ts --port 4101 [--host 127.0.0.1] [--token TOKEN] [--file outbox.jsonl]
 *     [--inbound-hook http://user:password@127.0.0.1:3000/...] [--event-hook http://...]
 *
 * In addition to the vendor's API, for the demo and tests:
 *   GET    /                       the outbox as a page; ?to=address
 *   GET    /_outbox                the outbox as JSON, newest first; ?to=address
 *   DELETE /_outbox                empties it
 *   GET    /_outbox/{id}/html      the HTML version of an email
 *   POST   /_outbox/{id}/answer    posts a reply (form field `text`) to the inbound hook, as from the patient
 *   POST   /_control/faults        injects faults into the next requests (faults.ts); GET lists pending faults, DELETE clears them
 *   POST   /_control/inactive      { addresses }: makes them inactive, so that emails to them are refused (406); DELETE reactivates all
 *   POST   /_control/hooks         { inbound, events }: sets the hooks (hooks.ts); GET lists posts and responses, newest first
 *   POST   /_control/inbound       receives an email (inbound.ts); returns the hook's response
 *   POST   /_control/event         { type, email, messageId }: reports a delivery, bounce, complaint or subscription change (events.ts)
 *   POST   /_control/retry         immediately retries posts that a hook did not accept
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { control, recordEvent, receive, type SimulatorState } from './control.ts'
import type { MailEvent } from './events.ts'
import { FaultQueue, standardError } from './faults.ts'
import { type HookAddresses, type HookCall, Hooks } from './hooks.ts'
import { listen, parseJson, readBody, type Reply, sendJson, sendPage } from './http.ts'
import type { InboundMail } from './inbound.ts'
import { readMail, type Refusal } from './message.ts'
import { type AcceptedMail, Outbox } from './outbox.ts'
import { outboxPage } from './outbox-page.ts'
import { replyTo, type PatientReply } from './patient-answer.ts'

export type PostmarkSimulatorOptions = {
  /** 0, the default, picks a free port. */
  port?: number
  /** The loopback address by default: anyone who can reach the outbox can read every email. */
  host?: string
  /** The only valid server token; any token is accepted if omitted. */
  token?: string
  /** Where to keep the outbox, one JSON object per line. */
  file?: string
  /** Where inbound emails and events are posted; setHooks changes it. */
  hooks?: HookAddresses
  /** The delay before each retry of a hook, in milliseconds; defaults to Postmark's schedule. */
  retryAfterMs?: readonly number[]
  /** The delay of each response after the email is accepted, in milliseconds. */
  latencyMs?: number
}

/** A request to send. */
export type SendCall = {
  token: string | undefined
  /** The MessageIDs of the accepted emails. */
  accepted: string[]
  /** Whether the response was sent completely, which fails if the client has disconnected. */
  isAnswered: boolean
}

export type PostmarkSimulator = {
  url: string
  /** Newest first. */
  readonly messages: readonly AcceptedMail[]
  /** Every request to send, oldest first. */
  readonly sendCalls: readonly SendCall[]
  /** The posts to the hooks, newest first. */
  readonly hookCalls: readonly HookCall[]
  setHooks(addresses: HookAddresses): void
  /** Receives an email; resolves with the hook's first response. */
  inbound(mail: InboundMail): Promise<HookCall>
  /** Reports a delivery event of a sent email; resolves with the hook's first response. */
  event(event: MailEvent): Promise<HookCall>
  /** Immediately retries the posts that a hook did not accept. */
  retryHooks(): Promise<readonly HookCall[]>
  stop(): Promise<void>
}

/** Postmark's limits: 10 MB per email, 50 MB and 500 emails per batch, 35 MB per inbound email before base64. */
const limits = { mailBytes: 10 * 1024 * 1024, batchBytes: 50 * 1024 * 1024, batchMails: 500, inboundBytes: 50 * 1024 * 1024 }

export async function startPostmarkSimulator(options: PostmarkSimulatorOptions = {}): Promise<PostmarkSimulator> {
  const outbox = new Outbox(options.file)
  const faults = new FaultQueue()
  const inactive = new Set<string>()
  const hooks = new Hooks(options.hooks, options.retryAfterMs)
  const state: SimulatorState = { outbox, faults, hooks, inactive }
  const replies = new Map<string, PatientReply[]>()
  const sendCalls: SendCall[] = []
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
    const ofMail = /^(GET|POST) \/_outbox\/([^/]+)\/(html|answer)$/.exec(call)

    if (call === 'POST /email' || call === 'POST /email/batch')
      return await respondAsPostmark(request, response, call === 'POST /email/batch')
    if (ofMail?.[1] === 'GET' && ofMail[3] === 'html') return sendHtmlVersion(response, outbox.find(decodeURIComponent(ofMail[2]!)))
    if (ofMail?.[1] === 'POST' && ofMail[3] === 'answer') return await replyAsPatient(request, response, decodeURIComponent(ofMail[2]!))
    if (call === 'GET /') return sendPage(response, outboxPage(outbox.list(to), to, { replies, canReply: hooks.has('inbound') }))
    if (call === 'GET /_outbox') return sendJson(response, { status: 200, body: outbox.list(to) })
    if (call === 'DELETE /_outbox') {
      outbox.clear()
      replies.clear()
      return void response.writeHead(204).end()
    }
    const reply = await control(state, call, async () => parseJson(await readBody(request, limits.inboundBytes)))
    if (!reply) return sendJson(response, { status: 404, body: { ErrorCode: 0, Message: `The simulator does not support ${call}.` } })
    if (reply.status === 204) response.writeHead(204).end()
    else sendJson(response, reply)
  }

  /** Handles the reply form: posts the reply and redirects to the email on the page, which shows the reply and the outcome. */
  async function replyAsPatient(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const form = new URLSearchParams(await readBody(request, limits.mailBytes))
    const text = form.get('text')?.trim() ?? ''
    const mail = outbox.find(id)
    if (!mail) return sendJson(response, { status: 404, body: { Message: 'Email not found.' } })
    if (text !== '') {
      const { status, body } = await receive(state, replyTo(mail, text))
      const outcome = status === 200 ? 'Received' : `Not received: ${status ?? ''} ${body}`.trim().slice(0, 300)
      replies.set(id, [...(replies.get(id) ?? []), { text, at: new Date().toISOString(), outcome }])
    }
    const to = form.get('to')
    const location = `/${to ? `?to=${encodeURIComponent(to)}` : ''}#${encodeURIComponent(id)}`
    response.writeHead(303, { location }).end()
  }

  async function respondAsPostmark(request: IncomingMessage, response: ServerResponse, batch: boolean): Promise<void> {
    const body = await readBody(request, batch ? limits.batchBytes : limits.mailBytes)
    const fault = faults.nextFault()
    if (fault && 'timeout' in fault) return // the connection stays open until the client disconnects or stop() is called
    if (fault && 'status' in fault) {
      const standard = standardError(fault.status)
      const error = { ErrorCode: fault.errorCode ?? standard.ErrorCode, Message: fault.message ?? standard.Message }
      return sendJson(response, { status: fault.status, body: error })
    }
    const call: SendCall = { token: request.headers['x-postmark-server-token']?.toString(), accepted: [], isAnswered: false }
    sendCalls.push(call)
    response.on('finish', () => (call.isAnswered = true))
    const sent = () => (batch ? sendBatch(parseJson(body), call) : sendOne(parseJson(body), call))
    const reply = refuseRequest(request, body, options.token) ?? sent()
    if (options.latencyMs) await setTimeout(options.latencyMs)
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

  function sendOne(body: unknown, call: SendCall): Reply {
    const result = accept(body, call)
    return { status: result.ErrorCode === 0 ? 200 : 422, body: result }
  }

  /** A batch always gets a 200; each email has its own code. */
  function sendBatch(body: unknown, call: SendCall): Reply {
    if (!Array.isArray(body)) return refusal(402, 'Invalid JSON: an array of messages is expected.')
    if (body.length > limits.batchMails) return refusal(410, `Too many batch messages: at most ${limits.batchMails} in one call.`)
    return { status: 200, body: body.map((one) => accept(one, call)) }
  }

  function accept(body: unknown, call: SendCall): Refusal | (Refusal & { To?: string; SubmittedAt: string; MessageID: string }) {
    const read = readMail(body, inactive)
    if ('refusal' in read) return read.refusal
    const accepted = { ...read.mail, MessageID: crypto.randomUUID(), SubmittedAt: new Date().toISOString() }
    outbox.add(accepted)
    call.accepted.push(accepted.MessageID)
    const { To, Cc, Bcc, SubmittedAt, MessageID } = accepted
    return { ...(To && { To }), ...(Cc && { Cc }), ...(Bcc && { Bcc }), SubmittedAt, MessageID, ErrorCode: 0, Message: read.note ?? 'OK' }
  }

  const port = await listen(server, options.port ?? 0, host)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    get messages() {
      return outbox.list()
    },
    sendCalls,
    get hookCalls() {
      return hooks.calls
    },
    setHooks: (addresses) => hooks.set(addresses),
    inbound: (mail) => receive(state, mail),
    event: (event) => recordEvent(state, event),
    retryHooks: () => hooks.retryNow(),
    stop: () =>
      new Promise((resolve, reject) => {
        hooks.stop()
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

/** Postmark's checks before parsing an email. @returns undefined if the request is valid. */
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

/** No scripts and a separate origin, because an email is untrusted HTML. Its links open in new windows. */
function sendHtmlVersion(response: ServerResponse, mail: AcceptedMail | undefined): void {
  if (!mail?.HtmlBody) return sendJson(response, { status: 404, body: { Message: 'Email not found, or it has no HTML version.' } })
  response.setHeader('content-security-policy', 'sandbox allow-popups allow-popups-to-escape-sandbox')
  sendPage(response, `<base target="_blank">${mail.HtmlBody}`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4101' },
      host: { type: 'string' },
      token: { type: 'string' },
      file: { type: 'string' },
      'inbound-hook': { type: 'string' },
      'event-hook': { type: 'string' },
    },
  })
  const { port, 'inbound-hook': inbound, 'event-hook': events, ...others } = values
  const simulator = await startPostmarkSimulator({ ...others, port: Number(port), hooks: { inbound, events } })
  console.log(`Postmark simulator: ${simulator.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop())
}
