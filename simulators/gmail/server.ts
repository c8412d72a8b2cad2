/**
 * Simulates Gmail (gmail.googleapis.com) and Google's OAuth 2 (accounts.google.com, oauth2.googleapis.com) in the original wire format, so
 * that the vendor's own package works against it unchanged. Each address that signs in gets a mailbox of 5,000 generated messages. With a
 * file, refresh tokens survive a restart; changes to the mailboxes do not.
 *
 *   node simulators/gmail/server.ts --port 4105 [--host 127.0.0.1] [--file grants.json] [--client-id ID --client-secret SECRET] [--email ADDRESS]
 *
 * The vendor's API: /o/oauth2/v2/auth (the consent page; `auto=1` allows immediately), /token, /revoke, /tokeninfo, /gmail/v1/users/... and
 * /upload/gmail/v1/users/... for emails as message/rfc822, alone or in multipart/related. For the demo and tests:
 *   POST   /_control/receive       { email?, from, subject, text?, html?, threadId? }: receives a message
 *   POST   /_control/revoke        { email? }: removes the application's access; refresh tokens then return invalid_grant
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
import { handleGmail, type Gmail, nameOf } from './api.ts'
import { statusReply } from './errors.ts'
import { type Grant, Grants } from './grants.ts'
import { handleOauth, authPath, type Client, consent, oauthPaths } from './oauth.ts'

export type GmailSimulatorOptions = VendorOptions &
  MailboxesOptions &
  Client & {
    file?: string | undefined
    /** Defaults to an hour, as with Google. */
    accessTokenSeconds?: number | undefined
  }

export type GmailSimulator = VendorServer & {
  grants(): readonly Grant[]
  /** Issues tokens without the consent page. */
  connect(email?: string): { access_token: string; refresh_token: string }
  mailbox(email?: string): Mailbox
  /** Receives a message. */
  receive(mail: Incoming): Message
  /** As when the user removes the application in their account: invalidates all tokens. */
  revoke(email?: string): void
  /** Expires access tokens early; refresh tokens remain valid. */
  expireAccess(): void
}

const revokeRequest = z.strictObject({ email: z.string().optional() })
const fullAccess = 'https://mail.google.com/'

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
    const route = `${call.method} ${call.path}`
    if (call.path === authPath) return consent(call, grants, client, mailboxes.email)
    if (route === 'POST /_control/receive') {
      const parsed = incomingRequest.safeParse(parseJson(call.body))
      if (!parsed.success) return badRequest(parsed.error)
      const { id, threadId } = mailboxes.receive(parsed.data).message
      return { status: 200, body: { id, threadId } }
    }
    if (route === 'POST /_control/revoke') {
      const parsed = revokeRequest.safeParse(parseJson(call.body || '{}'))
      if (!parsed.success) return badRequest(parsed.error)
      grants.revokeAll(parsed.data.email ?? mailboxes.email)
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
        scope: fullAccess,
        challenge: undefined,
      }
      const { access_token, ...others } = grants.open({ ...request, offline: true, forcesConsent: true })
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
