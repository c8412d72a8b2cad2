import { afterAll, beforeAll, inject } from 'vitest'
import { codeFrom, gmailCredentials, gmailSettings, nylasCredentials, nylasHook, nylasSettings } from '../../demo/messages/mailboxes.ts'
import { type GmailSimulator, startGmailSimulator } from '../../simulators/gmail/server.ts'
import { type NylasSimulator, startNylasSimulator } from '../../simulators/nylas/server.ts'
import type { MailProvider } from '../../src/messages/mailbox/rules.ts'
import { type Account, type Client, startTestServer, type TestServer } from '../server.ts'

export const nylasSecret = 'the-secret-of-the-tests-notifications'

export type Mailboxes = { server: TestServer; nylas: NylasSimulator; gmail: GmailSimulator }

/** A server with both mailbox providers, with 400 messages per mailbox. */
export function useMailboxes(settings: Record<string, string> = {}): Mailboxes {
  const mailboxes = {} as Mailboxes
  beforeAll(async () => {
    mailboxes.nylas = await startNylasSimulator({ ...nylasCredentials, messages: 400 })
    mailboxes.gmail = await startGmailSimulator({ ...gmailCredentials, messages: 400 })
    const urls = { ...nylasSettings(mailboxes.nylas.url, nylasSecret), ...gmailSettings(mailboxes.gmail.url) }
    mailboxes.server = await startTestServer(inject('postgres'), {
      ...urls,
      MAILBOX_TIMEOUT_SECONDS: '5',
      HOOKS_PER_MINUTE: '100000',
      ...settings,
    })
    await mailboxes.nylas.setWebhook(nylasHook(mailboxes.server.url, nylasSecret))
  })
  afterAll(async () => {
    await mailboxes.server?.stop()
    await Promise.all([mailboxes.nylas?.stop(), mailboxes.gmail?.stop()])
  })
  return mailboxes
}

export type Owner = { account: Account; client: Client; grantId: string; email: string }

/** Creates a member of staff who has connected a mailbox. */
export async function createMailboxOwner({ server }: Mailboxes, provider: MailProvider = 'nylas', hint?: string): Promise<Owner> {
  const account = await server.account()
  const client = server.client(account.cookie)
  const email = hint ?? account.email
  const { url } = await client.mailbox.connect({ provider })
  await client.mailbox.finish({ provider, ...(await codeFrom(`${url}&login_hint=${encodeURIComponent(email)}`)) })
  const { grantId } = await client.mailbox.connection()
  return { account, client, grantId: grantId!, email }
}
