import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '../../src/app/contract.ts'

export type Client = JsonifiedClient<ContractRouterClient<typeof contract>>

/** Credentials accepted by the demo's QuickBooks simulator. */
export const quickBooksCredentials = { clientId: 'refyne-demo', clientSecret: 'refyne-demo-secret' }

export const quickBooksSettings = (url: string) => ({
  QUICKBOOKS_CLIENT_ID: quickBooksCredentials.clientId,
  QUICKBOOKS_CLIENT_SECRET: quickBooksCredentials.clientSecret,
  QUICKBOOKS_URL: url,
})

/**
 * Connects a running server to the QuickBooks simulator as its administrator would, without a browser, and syncs the lists. Keeps a
 * connection that still works. Returns false when the administrator's password has been changed.
 */
export async function connectQuickBooks(url: string, admin: Account): Promise<boolean> {
  const client = await signIn(url, admin)
  if (!client) return false
  const { state } = await client.quickbooks.status()
  const isWorking = state === 'connected' && (await client.quickbooks.refresh().catch(() => null)) !== null
  if (!isWorking) {
    await client.quickbooks.finish(await approveConnection(client))
    await client.quickbooks.refresh()
  }
  return true
}

export type Account = { email: string; password: string }

/** An API client signed in as a member of staff. Returns null when the password has been changed. */
export async function signIn(url: string, account: Account): Promise<Client | null> {
  const response = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  if (!response.ok) return null
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return clientOf(url, { cookie })
}

/** An API client; without a cookie, as of a patient or a tablet. */
export const clientOf = (url: string, headers: { cookie?: string } = {}): Client =>
  createORPCClient(new OpenAPILink(contract, { url: `${url}/api`, headers }))

/** Approves the connection at Intuit and returns the parameters it sends to /qbo/callback. */
async function approveConnection(client: Client): Promise<{ code: string; state: string; realmId: string }> {
  const { url } = await client.quickbooks.connect()
  const response = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const { searchParams } = new URL(response.headers.get('location') ?? '')
  const parameter = (name: string) => searchParams.get(name) ?? ''
  return { code: parameter('code'), state: parameter('state'), realmId: parameter('realmId') }
}
