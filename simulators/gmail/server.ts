/**
 * A stand-in for Gmail (gmail.googleapis.com) and for Google's OAuth 2 (accounts.google.com, oauth2.googleapis.com): it speaks the real wire format, so
 * that the vendor's own package works against it unchanged. Each address that signs in has a mailbox of 5,000 made-up messages. Refresh tokens outlive a
 * restart when there is a file; what was done to the mail does not.
 *
 *   node simulators/gmail/server.ts --port 4105 [--host 127.0.0.1] [--file grants.json] [--client-id ID --client-secret SECRET] [--email ADDRESS]
 *
 * The vendor's side: /o/oauth2/v2/auth (the page; `auto=1` allows at once), /token, /revoke, /tokeninfo, /gmail/v1/users/... and
 * /upload/gmail/v1/users/... for mail as message/rfc822, alone or in multipart/related. In addition, for people and tests:
 *   POST   /_control/receive       { email?, from, subject, text?, html?, threadId? }: a message comes in
 *   POST   /_control/revoke        { email? }: the person removes the application; refresh tokens answer invalid_grant
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
import { handleGmail, type Gmail, nameOf } from './api.ts'
import { statusReply } from './errors.ts'
import { type Grant, Grants } from './grants.ts'
import { handleOauth, authPath, type Client, consent, oauthPaths } from './oauth.ts'

export type GmailSimulatorOptions = VendorOptions &
  MailboxesOptions &
  Client & {
    file?: string | undefined
    /** Google's hour by default. */
    accessTokenSeconds?: number | undefined
  }

export type GmailSimulator = VendorServer & {
  grants(): readonly Grant[]
  /** Tokens without the way over the page. */
  connect(email?: string): { access_token: string; refresh_token: string }
  mailbox(email?: string): Mailbox
  /** A message comes in. */
  receive(mail: Incoming): Message
  /** As when the person removes the application in their account: no token works any more. */
  revoke(email?: string): void
  /** Access tokens end before their time; refresh tokens go on. */
  expireAccess(): void
}

const revokeRequest = z.strictObject({ email: z.string().optional() })
const everything = 'https://mail.google.com/'

export async function startGmailSimulator(options: GmailSimulatorOptions = {}): Promise<GmailSimulator> {
  const { now = Date.now, clientId, clientSecret, accessTokenSeconds = 3599 } = options
  const client: Client = { clientId, clientSecret }
  const mailboxes = new Mailboxes(options)
  const grants = new Grants(now, accessTokenSeconds, options.file)
  const gmail: Gmail = { grants, mailboxes, now }

  const server = await startVendorServer(
    {
      defaultMatch: ' /(upload/)?gmail/',
      isVendorPath: (path) => oauthPaths.includes(path) || /^\/(upload\/)?gmail\/v1\/users\//.test(path),
      respond: (call) => (oauthPaths.includes(call.path) ? handleOauth(call, grants, client, now()) : handleGmail(call, gmail)),
      refusal: (status, retryAfter) => statusReply(status, retryAfter, now()),
      handleControl,
      nameOf,
    },
    options,
  )

  function handleControl(call: Call): VendorReply | undefined {
    const asked = `${call.method} ${call.path}`
    if (call.path === authPath) return consent(call, grants, client, mailboxes.email)
    if (asked === 'POST /_control/receive') {
      const read = incomingRequest.safeParse(parseJson(call.body))
      if (!read.success) return badRequest(read.error)
      const { id, threadId } = mailboxes.receive(read.data).message
      return { status: 200, body: { id, threadId } }
    }
    if (asked === 'POST /_control/revoke') {
      const read = revokeRequest.safeParse(parseJson(call.body || '{}'))
      if (!read.success) return badRequest(read.error)
      grants.revokeAll(read.data.email ?? mailboxes.email)
      return { status: 204, body: undefined }
    }
    return undefined
  }

  return {
    ...server,
    connect(email = mailboxes.email) {
      const request = {
        email: email.toLowerCase(),
        clientId: clientId ?? 'client',
        redirectUri: '',
        scope: everything,
        challenge: undefined,
      }
      const { access_token, ...others } = grants.open({ ...request, offline: true, asksAgain: true })
      return { access_token, refresh_token: 'refresh_token' in others ? others.refresh_token : '' }
    },
    grants: () => grants.list(),
    mailbox: (email = mailboxes.email) => mailboxes.of(email),
    receive: (mail) => mailboxes.receive(mail).message,
    revoke: (email = mailboxes.email) => grants.revokeAll(email.toLowerCase()),
    expireAccess: () => grants.expireAccess(),
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4105' },
      host: { type: 'string' },
      file: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
      email: { type: 'string' },
    },
  })
  const { port, 'client-id': clientId, 'client-secret': clientSecret, ...others } = values
  const simulator = await startGmailSimulator({ ...others, clientId, clientSecret, port: Number(port) })
  console.log(`The Gmail simulator listens on ${simulator.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.stop())
}
