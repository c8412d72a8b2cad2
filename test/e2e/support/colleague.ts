import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import type { Clinic } from './clinic.ts'

export const colleaguePassword = 'lantern-quay-2204'

/** The link in the newest email to this address, on the clinic's own host. */
export async function emailedLink({ outbox, url }: Clinic, to: string, path: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(() => (link = outbox.messages.find((mail) => mail.To === to)?.TextBody?.match(/https?:\/\/\S+/)?.[0])?.includes(path), {
      message: `an email to ${to}`,
    })
    .toBe(true)
  const { pathname, search } = new URL(link!)
  return new URL(pathname + search, url).toString()
}

/** Creates a user for a test that changes an account: invited by `admin`, and signed up. */
export async function addColleague(
  clinic: Clinic,
  admin: Page,
  role: string,
  firstName = 'Noor',
): Promise<{ email: string; id: string; name: string }> {
  const lastName = `Haddad-${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@refyne.example`
  expect((await admin.request.post('/api/invitations', { data: { email, role } })).status()).toBe(200)
  const token = new URL(await emailedLink(clinic, email, '/invitation')).searchParams.get('token')
  const joined = await admin.request.post(`/api/auth/invitations/${token}/acceptance`, {
    data: { firstName, lastName, password: colleaguePassword },
  })
  expect(joined.status()).toBe(200)
  return { email, id: ((await joined.json()) as { id: string }).id, name: `${firstName} ${lastName}` }
}

export async function signIn(page: Page, email: string, password = colleaguePassword): Promise<void> {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

/** A page in a new browser context without a session. */
export async function freshPage(browser: Browser, clinic: Clinic, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...options, baseURL: clinic.url })
  return context.newPage()
}
