import type { NylasSimulator } from '../simulators/nylas/server.ts'
import { type Account, signIn } from './books.ts'

/** Credentials that the demo's simulators of Nylas and Gmail know. */
export const nylasClient = { clientId: 'refyne-demo', apiKey: 'refyne-demo-nylas-key' }
export const gmailClient = { clientId: 'refyne-demo.apps', clientSecret: 'refyne-demo-gmail-secret' }

export const nylasSettings = (url: string, webhookSecret: string) => ({
  NYLAS_CLIENT_ID: nylasClient.clientId,
  NYLAS_API_KEY: nylasClient.apiKey,
  NYLAS_URL: url,
  NYLAS_WEBHOOK_SECRET: webhookSecret,
})

export const gmailSettings = (url: string) => ({
  GMAIL_CLIENT_ID: gmailClient.clientId,
  GMAIL_CLIENT_SECRET: gmailClient.clientSecret,
  GMAIL_URL: url,
})

/** Where Nylas tells a running server that something is new. */
export const nylasHook = (url: string, secret: string) => ({ url: `${url}/api/hooks/nylas`, secret })

/** What someone's provider sends back to the callback page when they say yes. */
export async function codeFrom(url: string): Promise<{ code: string; state: string }> {
  const answer = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  return { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' }
}

const letters = [
  {
    subject: 'Swelling after two weeks',
    text: 'Hello,\n\nis it still normal that the left side is a little swollen in the evening? It is gone by morning.\n\nThank you',
  },
  {
    subject: 'Moving my consultation',
    text: 'Hi,\n\nwould the week after next be possible instead? Mornings suit me best.\n\nKind regards',
  },
  {
    subject: 'Insurance form',
    text: 'Good morning,\n\nmy insurer asks for a short letter about the procedure. Could you send one?\n\nMany thanks',
  },
]

/** Connects a member of the demo's staff to a mailbox through Nylas, and lets some patients write there. What is connected already stays. */
export async function connectMailbox(url: string, account: Account, nylas: NylasSimulator): Promise<void> {
  const client = await signIn(url, account)
  if (!client) return
  const { state } = await client.mailbox.connection()
  if (state === 'none') {
    const begun = await client.mailbox.connect({ provider: 'nylas' })
    await client.mailbox.finish({ provider: 'nylas', ...(await codeFrom(begun.url)) })
  }
  const { email } = await client.mailbox.connection()
  const { data } = await client.contacts.list({ limit: 50 })
  const writers = data.filter((contact) => contact.email !== null).slice(0, letters.length)
  for (const [index, { firstName, lastName, email: from }] of writers.entries()) {
    await nylas.receive({ ...(email ? { email } : {}), from: { name: `${firstName} ${lastName}`, email: from! }, ...letters[index]! })
  }
}
