import { afterAll, beforeAll, inject } from 'vitest'
import { codeFrom, gmailClient, gmailSettings, nylasClient, nylasHook, nylasSettings } from '../demo/mailboxes.ts'
import { type GmailSimulator, startGmailSimulator } from '../simulators/gmail/server.ts'
import { type NylasSimulator, startNylasSimulator } from '../simulators/nylas/server.ts'
import type { MailProvider } from '../src/messages/mailbox/rules.ts'
import { type Account, type Client, startTestServer, type TestServer } from './server.ts'

export const nylasSecret = 'the-secret-of-the-tests-notifications'

export type Post = { server: TestServer; nylas: NylasSimulator; gmail: GmailSimulator }

/** A server with both providers of mailboxes, of 400 messages each. */
export function usePost(settings: Record<string, string> = {}): Post {
  const post = {} as Post
  beforeAll(async () => {
    post.nylas = await startNylasSimulator({ ...nylasClient, messages: 400 })
    post.gmail = await startGmailSimulator({ ...gmailClient, messages: 400 })
    const urls = { ...nylasSettings(post.nylas.url, nylasSecret), ...gmailSettings(post.gmail.url) }
    post.server = await startTestServer(inject('postgres'), {
      ...urls,
      MAILBOX_TIMEOUT_SECONDS: '5',
      HOOKS_PER_MINUTE: '100000',
      ...settings,
    })
    await post.nylas.setWebhook(nylasHook(post.server.url, nylasSecret))
  })
  afterAll(async () => {
    await post.server?.stop()
    await Promise.all([post.nylas?.stop(), post.gmail?.stop()])
  })
  return post
}

export type Owner = { account: Account; client: Client; grantId: string; email: string }

/** Someone of the staff who has gone the way to their provider and back. Each has a mailbox of their own. */
export async function newOwner({ server }: Post, provider: MailProvider = 'nylas', hint?: string): Promise<Owner> {
  const account = await server.account()
  const client = server.client(account.cookie)
  const email = hint ?? account.email
  const { url } = await client.mailbox.connect({ provider })
  await client.mailbox.finish({ provider, ...(await codeFrom(`${url}&login_hint=${encodeURIComponent(email)}`)) })
  const { grantId } = await client.mailbox.connection()
  return { account, client, grantId: grantId!, email }
}
