import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { createActiveAccount } from '../../src/platform/auth/service.ts'

export const account = {
  firstName: 'Bench',
  lastName: 'Mark',
  email: 'bench@refyne.example',
  password: 'a-Long-enough-passphrase',
  role: 'admin' as const,
}

/** Creates an administrator and signs in through the API. @returns the session cookie. */
export async function signIn(ownerUrl: string, serverUrl: string, email = account.email): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await createActiveAccount(drizzle(client), { ...account, email })
  await client.end()
  const response = await fetch(`${serverUrl}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: account.password }),
  })
  if (!response.ok) throw new Error(`The sign-in answered ${response.status}: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ')
}
