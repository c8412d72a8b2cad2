import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import type { Clinic } from './clinic.ts'

export const colleaguePassword = 'lantern-quay-2204'

/** The link in the newest mail to this address, at the clinic's own address. */
export async function mailedLink({ outbox, url }: Clinic, to: string, path: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(() => (link = outbox.messages.find((mail) => mail.To === to)?.TextBody?.match(/https?:\/\/\S+/)?.[0])?.includes(path), {
      message: `a mail to ${to}`,
    })
    .toBe(true)
  const { pathname, search } = new URL(link!)
  return new URL(pathname + search, url).toString()
}

/** Someone of their own for a test that changes an account: invited by `admin`, and joined. */
export async function addColleague(
  clinic: Clinic,
  admin: Page,
  role: string,
  firstName = 'Noor',
): Promise<{ email: string; id: string; name: string }> {
  const lastName = `Haddad-${crypto.randomUUID().slice(0, 8)}`
  const email = `${lastName.toLowerCase()}@refyne.example`
  expect((await admin.request.post('/api/invitations', { data: { email, role } })).status()).toBe(200)
  const token = new URL(await mailedLink(clinic, email, '/invitation')).searchParams.get('token')
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

/** A page of its own, in a browser that knows no one. */
export async function freshPage(browser: Browser, clinic: Clinic, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...options, baseURL: clinic.url })
  return context.newPage()
}
