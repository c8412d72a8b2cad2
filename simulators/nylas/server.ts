/**
 * A stand-in for Nylas v3 (api.us.nylas.com): it speaks the real wire format, so that the vendor's own package works against it unchanged. Each
 * address that signs in has a mailbox of 5,000 made-up messages. Grants outlive a restart when there is a file; what was done to the mail does not.
 *
 *   node simulators/nylas/server.ts --port 4104 [--host 127.0.0.1] [--file grants.json] [--client-id ID --api-key KEY] [--email ADDRESS]
 *
 * The vendor's side: /v3/connect/auth (the page; `auto=1` allows at once), /v3/connect/token, /v3/grants/... In addition, for people and tests:
 *   POST   /_control/receive       { email?, from, subject, text?, html?, threadId? }: a message comes in; the webhook is notified
 *   POST   /_control/expire        { grantId }: the person must sign in again; the webhook is notified
 *   POST   /_control/webhook       { url, secret }: where notifications go; 400 unless the address answers the challenge. DELETE ends it
 *   POST   /_control/faults        the next calls fail, see ../faults.ts; GET lists pending faults, DELETE clears them
 *   POST   /_control/offline       { offline: true }: every call is answered 503 until { offline: false }
 *   GET    /_control/calls         how often each kind of call came; DELETE resets the counts
 */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Call, parseJson } from '../http.ts'
import type { Mailbox, Message } from '../mailbox.ts'
import { type Incoming, incomingRequest, Mailboxes, type MailboxesOptions } from '../mailbox-registry.ts'
import { badRequest, startVendorServer, type VendorOptions, type VendorReply, type VendorServer } from '../vendor-server.ts'
import { handleNylas, type Nylas } from './api.ts'
import { authPath, type Client, exchangeToken, hostedSignIn, tokenPath } from './connect.ts'
import { statusReply } from './errors.ts'
import { type Grant, Grants } from './grants.ts'
import { challenge, deliver, type Delivery, grantExpired, type Hook, messageCreated, type Notification } from './webhooks.ts'

export type NylasSimulatorOptions = VendorOptions & MailboxesOptions & Client & { file?: string | undefined }

export type NylasSimulator = VendorServer & {
  /** A grant without the way over the page. */
  connect(email?: string, provider?: string): Grant
  grants(): readonly Grant[]
  mailbox(email?: string): Mailbox
  /** A message comes in, and the webhook is notified. */
  receive(mail: Incoming): Promise<{ message: Message; delivery: Delivery | undefined }>
  /** @returns what the hook answered, or undefined. */
  expire(grantId: string): Promise<Delivery | undefined>
  /** @returns false when the address does not answer the challenge; then nothing is sent there. */
  setWebhook(hook: Hook | undefined): Promise<boolean>
  /** Sends one notification once more, as Nylas does when it got no 200. */
  redeliver(): Promise<Delivery | undefined>
}

const hookRequest = z.strictObject({ url: z.url(), secret: z.string() })
const expireRequest = z.strictObject({ grantId: z.string() })

export async function startNylasSimulator(options: NylasSimulatorOptions = {}): Promise<NylasSimulator> {
  const { now = Date.now, clientId, apiKey } = options
  const mailboxes = new Mailboxes(options)
  const grants = new Grants(now, options.file)
  const nylas: Nylas = { grants, mailboxes, client: { clientId, apiKey }, now }
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
    const asked = `${call.method} ${call.path}`
    if (call.path === authPath) return hostedSignIn(call, grants, nylas.client, mailboxes.email)
    if (asked === 'DELETE /_control/webhook') return ((hook = undefined), { status: 204, body: undefined })
    if (asked === 'POST /_control/receive') {
      const read = incomingRequest.safeParse(parseJson(call.body))
      if (!read.success) return badRequest(read.error)
      const { message, delivery } = await receive(read.data)
      return { status: 200, body: { id: message.id, threadId: message.threadId, delivery } }
    }
    if (asked === 'POST /_control/expire') {
      const read = expireRequest.safeParse(parseJson(call.body))
      if (!read.success) return badRequest(read.error)
      if (!grants.find(read.data.grantId)) return { status: 404, body: { message: 'There is no such grant.' } }
      return { status: 200, body: { delivery: await expire(read.data.grantId) } }
    }
    if (asked === 'POST /_control/webhook') {
      const read = hookRequest.safeParse(parseJson(call.body))
      if (!read.success) return badRequest(read.error)
      const fine = await setWebhook(read.data)
      return fine ? { status: 204, body: undefined } : { status: 400, body: { message: 'The address does not answer the challenge.' } }
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

  async function setWebhook(asked: Hook | undefined): Promise<boolean> {
    if (asked && !(await challenge(asked))) return false
    hook = asked
    return true
  }

  return {
    ...server,
    connect: (email = mailboxes.email, provider = 'microsoft') => grants.open(email.toLowerCase(), provider),
    grants: () => grants.list(),
    mailbox: (email = mailboxes.email) => mailboxes.of(email),
    receive,
    expire,
    setWebhook,
    redeliver: async () => lastNotification && (await notify(lastNotification.notification, lastNotification.attempt + 1)),
  }
}

/** 'GET messages', 'PUT messages/{id}', 'POST token'. */
function nameOf({ method, path }: Call): string {
  const [, , name, , resource, id, extra] = path.split('/')
  if (path === tokenPath) return `${method} token`
  if (name !== 'grants' || resource === undefined) return `${method} ${name ?? ''}`
  const shown = id === undefined || id === 'send' ? id : '{id}'
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
