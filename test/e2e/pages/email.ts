import type { Page, Route } from '@playwright/test'
import { codeFrom } from '../../../demo/messages/mailboxes.ts'
import { type Clinic, expect } from '../support/clinic.ts'

export interface ConnectedMailbox {
  page: Page
  email: string
  /** Delivers an email to the mailbox. */
  receive: (mail: {
    from: { name?: string; email: string }
    subject: string
    text?: string
    html?: string
    threadId?: string
  }) => Promise<{ threadId: string }>
  /** Emails sent by the owner, newest first. */
  sent: () => { to: string[]; cc: string[]; subject: string; text: string; files: string[] }[]
}

/** Opens a page for a user with a mailbox of this test: a thousand emails, no drafts. */
export async function openEmail(
  clinic: Clinic,
  open: (who: string, at: string) => Promise<Page>,
  { who = 'sales', at = '/email' } = {},
): Promise<ConnectedMailbox> {
  const page = await open(who, '/tasks')
  const email = `reception-${crypto.randomUUID().slice(0, 8)}@refyneclinic.example`
  await connect(page, clinic, email)
  // Drafts outlive a mailbox.
  const drafts = (await (await page.request.get('/api/mailbox/drafts')).json()) as { id: string }[]
  for (const { id } of drafts) await page.request.delete(`/api/mailbox/drafts/${id}`, { headers: { origin: clinic.url } })
  await page.goto(at)
  return { page, email, ...mailboxOf(clinic, email) }
}

export const mailboxOf = (clinic: Clinic, email: string): Pick<ConnectedMailbox, 'receive' | 'sent'> => ({
  receive: async (mail) => (await clinic.nylas.receive({ email, ...mail })).message,
  sent: () =>
    clinic.nylas
      .mailbox(email)
      .list()
      .filter(({ labels }) => labels.has('SENT'))
      .map(({ to, cc, subject, text, html, attachments }) => ({
        to: to.map((person) => person.email),
        cc: cc.map((person) => person.email),
        subject,
        text: `${text ?? ''}${html ?? ''}`,
        files: attachments.map(({ filename }) => filename),
      })),
})

/** Connects a mailbox for the signed-in user through the provider. */
async function connect(page: Page, clinic: Clinic, email: string): Promise<void> {
  const headers = { origin: clinic.url }
  const started = await page.request.post('/api/mailbox/connect', { data: { provider: 'nylas' }, headers })
  const { url } = (await started.json()) as { url: string }
  const callback = await codeFrom(`${url}&login_hint=${encodeURIComponent(email)}`)
  const finished = await page.request.post('/api/mailbox/callback', { data: { provider: 'nylas', ...callback }, headers })
  expect(finished.status(), await finished.text()).toBe(200)
}

/** Disconnects the mailbox, if any. */
export async function disconnect(page: Page, clinic: Clinic): Promise<void> {
  const finished = await page.request.post('/api/mailbox/disconnect', { headers: { origin: clinic.url } })
  expect(finished.status(), 'disconnected').toBe(200)
}

export const threads = (page: Page) => page.getByRole('list', { name: 'Threads' })
export const messages = (page: Page) => page.getByRole('list', { name: 'Messages' })
export const folders = (page: Page) => page.getByRole('navigation', { name: 'Folders' })
export const drafts = (page: Page) => page.getByRole('list', { name: 'Drafts' })
export const emailBadge = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Email/ })
export const emailBody = (page: Page) => page.getByRole('textbox', { name: 'Your email' })
export const saveState = (page: Page) => page.locator('[data-save-state]')

/** Like `redirectToClinic` of receipts.ts, for the mailbox providers. */
export async function redirectToClinic(page: Page, clinic: Clinic): Promise<void> {
  for (const consent of [`${clinic.nylas.url}/v3/connect/auth`, `${clinic.gmail.url}/o/oauth2/v2/auth`]) {
    await page.route(consent, async (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch({ maxRedirects: 0 })
      const { pathname, search } = new URL(response.headers().location ?? '/')
      await route.fulfill({ status: 302, headers: { location: `${clinic.url}${pathname}${search}` } })
    })
  }
}
