/**
 * Simulates Nylas v3 (api.us.nylas.com) in the original wire format, so that the vendor's own package works against it unchanged. Each
 * address that signs in gets a mailbox of 5,000 generated messages. With a file, grants survive a restart; changes to the mailboxes do not.
 *
 *   node simulators/nylas/server.ts --port 4104 [--host 127.0.0.1] [--file grants.json] [--client-id ID --api-key KEY] [--email ADDRESS]
 *
 * The vendor's API: /v3/connect/auth (the consent page; `auto=1` allows immediately), /v3/connect/token, /v3/grants/... For the demo and
 * tests:
 *   POST   /_control/receive       { email?, from, subject, text?, html?, threadId? }: receives a message and notifies the webhook
 *   POST   /_control/expire        { grantId }: expires the grant and notifies the webhook
 *   POST   /_control/webhook       { url, secret }: sets the webhook; 400 unless the URL answers the challenge. DELETE removes it
 *   POST   /_control/faults        injects faults into the next calls (../faults.ts); GET lists pending faults, DELETE clears them
 *   POST   /_control/offline       { offline: true }: every call returns 503 until { offline: false }
 *   GET    /_control/calls         the number of calls by name; DELETE resets the counts
 */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Call, parseJson } from '../http.ts'
import type { Mailbox, Message } from '../mailbox.ts'
import { type Incoming, incomingRequest, Mailboxes, type MailboxesOptions } from '../mailbox-registry.ts'
import { badRequest, startVendorServer, type VendorOptions, type VendorReply, type VendorServer } from '../vendor-server.ts'
import { handleNylas, type Nylas } from './api.ts'
import type { Calendars } from './calendars.ts'
import { authPath, type Client, exchangeToken, hostedSignIn, tokenPath } from './connect.ts'
import { statusReply } from './errors.ts'
import { type Grant, Grants } from './grants.ts'
import { challenge, deliver, type Delivery, grantExpired, type Hook, messageCreated, type Notification } from './webhooks.ts'

export type NylasSimulatorOptions = VendorOptions & MailboxesOptions & Client & { file?: string | undefined }

export type NylasSimulator = VendorServer & {
  /** Creates a grant without the consent page. */
  connect(email?: string, provider?: string): Grant
  grants(): readonly Grant[]
  mailbox(email?: string): Mailbox
  /** Sets when an address is busy; undefined: it has no calendar. */
  setBusy(times: readonly { from: Date; to: Date }[] | undefined, email?: string): void
  /** Receives a message and notifies the webhook. */
  receive(mail: Incoming): Promise<{ message: Message; delivery: Delivery | undefined }>
  /** @returns the webhook's response; undefined without a webhook. */
  expire(grantId: string): Promise<Delivery | undefined>
  /** @returns false if the URL does not answer the challenge; it is not used then. */
  setWebhook(hook: Hook | undefined): Promise<boolean>
  /** Sends the last notification again, as Nylas does without a 200 response. */
  redeliver(): Promise<Delivery | undefined>
}

const hookRequest = z.strictObject({ url: z.url(), secret: z.string() })
const expireRequest = z.strictObject({ grantId: z.string() })

export async function startNylasSimulator(options: NylasSimulatorOptions = {}): Promise<NylasSimulator> {
  const { now = Date.now, clientId, apiKey } = options
  const mailboxes = new Mailboxes(options)
  const grants = new Grants(now, options.file)
  const calendars: Calendars = new Map()
  const nylas: Nylas = { grants, mailboxes, calendars, client: { clientId, apiKey }, now }
  let hook: Hook | undefined
  let lastNotification: { notification: Notification; attempt: number } | undefined

  const server = await startVendorServer(
    {
      defaultMatch: ' /v3/grants',
      isVendorPath: (path) => path.startsWith('/v3/') && path !== authPath,
      respond: (call) => (call.path === tokenPath ? exchangeToken(call, grants, nylas.client) : handleNylas(call, nylas)),
      refusal: statusReply,
      handleControl,
      nameOf,
    },
    options,
  )

  async function handleControl(call: Call): Promise<VendorReply | undefined> {
    const route = `${call.method} ${call.path}`
    if (call.path === authPath) return hostedSignIn(call, grants, nylas.client, mailboxes.email)
    if (route === 'DELETE /_control/webhook') return ((hook = undefined), { status: 204, body: undefined })
    if (route === 'POST /_control/receive') {
      const parsed = incomingRequest.safeParse(parseJson(call.body))
      if (!parsed.success) return badRequest(parsed.error)
      const { message, delivery } = await receive(parsed.data)
      return { status: 200, body: { id: message.id, threadId: message.threadId, delivery } }
    }
    if (route === 'POST /_control/expire') {
      const parsed = expireRequest.safeParse(parseJson(call.body))
      if (!parsed.success) return badRequest(parsed.error)
      if (!grants.find(parsed.data.grantId)) return { status: 404, body: { message: 'Grant not found.' } }
      return { status: 200, body: { delivery: await expire(parsed.data.grantId) } }
    }
    if (route === 'POST /_control/webhook') {
      const parsed = hookRequest.safeParse(parseJson(call.body))
      if (!parsed.success) return badRequest(parsed.error)
      const isSet = await setWebhook(parsed.data)
      return isSet ? { status: 204, body: undefined } : { status: 400, body: { message: 'The URL did not answer the challenge.' } }
    }
    return undefined
  }

  async function notify(notification: Notification, attempt = 1): Promise<Delivery | undefined> {
    lastNotification = { notification, attempt }
    return hook && (await deliver(hook, notification, { clientId: clientId ?? 'simulator', attempt }))
  }

  async function receive(mail: Incoming) {
    const { mailbox, message } = mailboxes.receive(mail)
    const grant = grants.list().find((one) => one.email === mailbox.email && one.valid)
    return { message, delivery: grant && (await notify(messageCreated(message, grant, now()))) }
  }

  async function expire(grantId: string): Promise<Delivery | undefined> {
    const grant = grants.find(grantId)
    if (!grant) return undefined
    grants.expire(grant)
    return await notify(grantExpired(grant, now()))
  }

  async function setWebhook(next: Hook | undefined): Promise<boolean> {
    if (next && !(await challenge(next))) return false
    hook = next
    return true
  }

  return {
    ...server,
    connect: (email = mailboxes.email, provider = 'microsoft') => grants.open(email.toLowerCase(), provider),
    grants: () => grants.list(),
    mailbox: (email = mailboxes.email) => mailboxes.of(email),
    setBusy(times, email = mailboxes.email) {
      const seconds = (at: Date) => Math.floor(at.getTime() / 1_000)
      if (times)
        calendars.set(
          email.toLowerCase(),
          times.map(({ from, to }) => ({ start_time: seconds(from), end_time: seconds(to) })),
        )
      else calendars.delete(email.toLowerCase())
    },
    receive,
    expire,
    setWebhook,
    redeliver: async () => lastNotification && (await notify(lastNotification.notification, lastNotification.attempt + 1)),
  }
}

/** The name of a call, such as 'GET messages', 'PUT messages/{id}' or 'POST token'. */
function nameOf({ method, path }: Call): string {
  const [, , name, , resource, id, extra] = path.split('/')
  if (path === tokenPath) return `${method} token`
  if (name !== 'grants' || resource === undefined) return `${method} ${name ?? ''}`
  const shown = id === undefined || id === 'send' || id === 'free-busy' ? id : '{id}'
  return `${method} ${[resource, shown, extra].filter((part) => part !== undefined).join('/')}`
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4104' },
      host: { type: 'string' },
      file: { type: 'string' },
      'client-id': { type: 'string' },
      'api-key': { type: 'string' },
      email: { type: 'string' },
    },
  })
  const { port, 'client-id': clientId, 'api-key': apiKey, ...others } = values
  const simulator = await startNylasSimulator({ ...others, clientId, apiKey, port: Number(port) })
  console.log(`The Nylas simulator listens on ${simulator.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop())
}
