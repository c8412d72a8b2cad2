import type { NylasSimulator } from '../../simulators/nylas/server.ts'
import { type Account, signIn } from '../billing/quickbooks.ts'

/** Credentials accepted by the demo's Nylas and Gmail simulators. */
export const nylasCredentials = { clientId: 'refyne-demo', apiKey: 'refyne-demo-nylas-key' }
export const gmailCredentials = { clientId: 'refyne-demo.apps', clientSecret: 'refyne-demo-gmail-secret' }

export const nylasSettings = (url: string, webhookSecret: string) => ({
  NYLAS_CLIENT_ID: nylasCredentials.clientId,
  NYLAS_API_KEY: nylasCredentials.apiKey,
  NYLAS_URL: url,
  NYLAS_WEBHOOK_SECRET: webhookSecret,
})

export const gmailSettings = (url: string) => ({
  GMAIL_CLIENT_ID: gmailCredentials.clientId,
  GMAIL_CLIENT_SECRET: gmailCredentials.clientSecret,
  GMAIL_URL: url,
})

/** The webhook through which Nylas notifies a running server of changes. */
export const nylasHook = (url: string, secret: string) => ({ url: `${url}/api/hooks/nylas`, secret })

/** Approves the connection at the provider and returns the parameters it sends to the callback page. */
export async function codeFrom(url: string): Promise<{ code: string; state: string }> {
  const response = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const { searchParams } = new URL(response.headers.get('location') ?? '')
  return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
}

const emails = [
  {
    subject: 'Swelling after two weeks',
    text: 'Hello,\n\nis it still normal for the left side to be a little swollen in the evening? It is gone by morning.\n\nThank you',
  },
  {
    subject: 'Moving my consultation',
    text: 'Hi,\n\nwould the week after next be possible instead? Mornings suit me best.\n\nKind regards',
  },
  {
    subject: 'Insurance form',
    text: 'Good morning,\n\nmy insurer is asking for a short letter about the procedure. Could you send one?\n\nMany thanks',
  },
]

/**
 * Connects a mailbox of a member of the demo's staff through Nylas and delivers emails from some patients. Keeps an existing connection.
 */
export async function connectMailbox(url: string, account: Account, nylas: NylasSimulator): Promise<void> {
  const client = await signIn(url, account)
  if (!client) return
  const { state } = await client.mailbox.connection()
  if (state === 'none') {
    const { url: consentUrl } = await client.mailbox.connect({ provider: 'nylas' })
    await client.mailbox.finish({ provider: 'nylas', ...(await codeFrom(consentUrl)) })
  }
  const { email } = await client.mailbox.connection()
  const { data } = await client.contacts.list({ limit: 50 })
  const senders = data.filter((contact) => contact.email !== null).slice(0, emails.length)
  for (const [index, { firstName, lastName, email: from }] of senders.entries()) {
    await nylas.receive({ ...(email ? { email } : {}), from: { name: `${firstName} ${lastName}`, email: from! }, ...emails[index]! })
  }
}
