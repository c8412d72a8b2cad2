import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '../src/app/contract.ts'

export type Client = JsonifiedClient<ContractRouterClient<typeof contract>>

/** Credentials that the demo's simulator of QuickBooks knows. */
export const booksClient = { clientId: 'refyne-demo', clientSecret: 'refyne-demo-secret' }

export const booksSettings = (url: string) => ({
  QUICKBOOKS_CLIENT_ID: booksClient.clientId,
  QUICKBOOKS_CLIENT_SECRET: booksClient.clientSecret,
  QUICKBOOKS_URL: url,
})

/**
 * Connects a running server to the simulator's books as its administrator would, without a browser, and has the lists read. What was connected
 * before and still works stays. False: the administrator's password is another one by now.
 */
export async function connectQuickBooks(url: string, admin: Account): Promise<boolean> {
  const client = await signIn(url, admin)
  if (!client) return false
  const { state } = await client.quickbooks.status()
  const works = state === 'connected' && (await client.quickbooks.refresh().catch(() => null)) !== null
  if (!works) {
    await client.quickbooks.finish(await consentOf(client))
    await client.quickbooks.refresh()
  }
  return true
}

export type Account = { email: string; password: string }

/** The API of a running server for one of its staff. Null: the password is another one by now. */
export async function signIn(url: string, account: Account): Promise<Client | null> {
  const answer = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  if (!answer.ok) return null
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return createORPCClient(new OpenAPILink(contract, { url: `${url}/api`, headers: { cookie } }))
}

/** What Intuit sends back to /qbo/callback when the person says yes. */
async function consentOf(client: Client): Promise<{ code: string; state: string; realmId: string }> {
  const { url } = await client.quickbooks.connect()
  const answer = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  const given = (name: string) => searchParams.get(name) ?? ''
  return { code: given('code'), state: given('state'), realmId: given('realmId') }
}
