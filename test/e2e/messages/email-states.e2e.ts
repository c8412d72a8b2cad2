import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { drafts, emailBadge, folders, redirectToClinic, messages, openEmail, saveState, threads, emailBody } from '../pages/email.ts'
import { createSender } from '../pages/inbox.ts'

/** The newest thread without its age, which changes by the minute. */
const firstThread = async (page: Page) =>
  (await threads(page).getByRole('listitem').first().innerText()).replace(/^(now|\d+ min|\d+ h)$/im, '')

test.describe('when the provider is unavailable or revokes access', () => {
  test.use({ expectedErrors: ['status of 409', 'status of 503'] })

  test('shows a banner for an expired grant, keeps loaded email, and reconnects', async ({ open, clinic }) => {
    const { page, email } = await openEmail(clinic, open)
    await redirectToClinic(page, clinic)
    const first = await firstThread(page)
    await clinic.nylas.expire(clinic.nylas.grants().find((grant) => grant.email === email)!.id)
    const banner = page.getByRole('alert').filter({ hasText: 'Your provider no longer accepts the connection.' })
    await expect(banner).toContainText(email)
    await expect.poll(() => firstThread(page)).toBe(first)
    await page.reload()
    await expect(banner).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Your email is not here' })).toBeVisible()
    await banner.getByRole('button', { name: 'Connect again' }).click()
    await page.getByLabel('Mailbox').fill(email)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByText('Your mailbox is connected')).toBeVisible()
    await expect(banner).toHaveCount(0)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  })

  test('keeps loaded email with a notice while the provider is unavailable, and continues when it is back', async ({ open, clinic }) => {
    const { page, receive } = await openEmail(clinic, open)
    const first = await firstThread(page)
    await threads(page).getByRole('button').first().click()
    await expect(messages(page).getByRole('listitem').first()).toBeVisible()
    clinic.nylas.setOffline(true)
    await page.keyboard.press('Escape')
    // A folder that was not loaded shows an error.
    await folders(page).getByRole('button', { name: 'Archive' }).click()
    await expect(page.getByRole('heading', { name: 'Couldn’t load your email' })).toBeVisible()
    await folders(page)
      .getByRole('button', { name: /^Inbox/ })
      .click()
    await expect.poll(() => firstThread(page)).toBe(first)
    // An event in the mailbox triggers another request.
    await receive({ from: { email: 'a@work.example' }, subject: 'Meanwhile' })
    const notice = page.getByRole('status').filter({ hasText: 'Your mailbox does not answer.' })
    await expect(notice).toContainText('What was loaded stays here.')
    await expect.poll(() => firstThread(page)).toBe(first)
    // Drafts are saved here, whatever the provider does.
    await page.keyboard.press('c')
    await emailBody(page).fill('Kept in the meantime')
    await expect(saveState(page)).toHaveText('Saved')
    clinic.nylas.setOffline(false)
    await notice.getByRole('button', { name: 'Try again' }).click()
    await expect(notice).toHaveCount(0)
    await expect(threads(page)).toContainText('Meanwhile')
    await folders(page).getByRole('button', { name: 'Archive' }).click()
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  })

  test('shows how long a rate-limiting provider asks to wait, and retries automatically', async ({ open, clinic }) => {
    const { page } = await openEmail(clinic, open)
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
    clinic.nylas.fault({ kind: 'status', status: 429, retryAfter: 2, match: 'GET /v3/grants/[^/]+/threads', times: 30 })
    await folders(page).getByRole('button', { name: 'Sent' }).click()
    await expect(page.getByText('Your mailbox is limiting requests.').first()).toBeVisible()
    clinic.nylas.clearFaults()
    await expect(threads(page).getByRole('listitem').first()).toBeVisible()
  })

  test('connects nothing on a forged, cancelled or empty callback (spec 2)', async ({ open, clinic, browser }) => {
    const page = await open('provider', '/auth/nylas/callback?code=made-up&state=made-up')
    await expect(page.getByText('This sign-in was started elsewhere or took too long.')).toBeVisible()
    expect(page.url()).toBe(`${clinic.url}/auth/nylas/callback`)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Nothing to finish here' })).toBeVisible()
    await page.goto('/auth/gmail/callback?error=access_denied&state=made-up')
    await expect(page.getByRole('heading', { name: 'Your mailbox was not connected' })).toBeVisible()
    expect(page.url()).toBe(`${clinic.url}/auth/gmail/callback`)
    await page.getByRole('link', { name: 'Go to Email' }).click()
    await redirectToClinic(page, clinic)
    await page.getByRole('button', { name: 'Connect another provider' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('It was cancelled, or not allowed, at your provider.')).toBeVisible()
    await page.getByRole('button', { name: 'Connect again' }).click()
    await page.getByLabel('Mailbox').fill(`provider-${crypto.randomUUID().slice(0, 8)}@refyneclinic.example`)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByText('Your mailbox is connected')).toBeVisible()
    expect(page.url()).toBe(`${clinic.url}/email`)

    const visitor = await (await browser.newContext({ baseURL: clinic.url })).newPage()
    await visitor.goto('/auth/nylas/callback?code=made-up&state=made-up')
    await expect(visitor.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    expect(visitor.url()).toBe(`${clinic.url}/auth/nylas/callback`)
    await visitor.context().close()
  })
})

test('counts new email up to 25+ in the badge on every page, live (spec 7)', async ({ open, clinic }) => {
  const { page, receive } = await openEmail(clinic, open, { at: '/tasks' })
  await expect(emailBadge(page)).toContainText('new emails')
  const badgeText = async () => (await emailBadge(page).textContent()) ?? ''
  const before = Number(/\d+/.exec(await badgeText())?.[0])
  expect(before).toBeLessThan(25)
  await receive({ from: { email: 'a@work.example' }, subject: 'One more' })
  await expect.poll(badgeText).toContain(String(before + 1))
  for (let count = before + 1; count < 26; count++) await receive({ from: { email: 'a@work.example' }, subject: `Number ${count}` })
  await expect.poll(badgeText).toContain('25+')
})

test('shows one pane at a time on a phone, with a back button and no horizontal scrolling', async ({ open, clinic }) => {
  const { page, receive } = await openEmail(clinic, open)
  await page.setViewportSize({ width: 375, height: 812 })
  const patient = await createSender(page)
  await receive({
    from: { name: patient.name, email: patient.email },
    subject: 'From my phone',
    html: `<table width="900"><tr><td>${'wide '.repeat(100)}</td></tr></table>`,
  })
  const expectNoOverflow = async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await threads(page).getByRole('button', { name: patient.name }).click()
  await expect(page.getByRole('heading', { name: 'From my phone' })).toBeFocused()
  await expect(threads(page)).toHaveCount(0)
  await expectNoOverflow()
  await page.getByRole('button', { name: 'The patient' }).click()
  await expect(page.getByRole('dialog', { name: 'The patient' })).toContainText(patient.name)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(emailBody(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send reply' })).toBeInViewport({ ratio: 1 })
  await expectNoOverflow()
  await page.getByRole('button', { name: 'Close, and keep the draft' }).click()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(threads(page).getByRole('button', { name: patient.name })).toBeFocused()
  await page.getByRole('button', { name: /choose a folder/ }).click()
  await page.getByRole('dialog', { name: 'Folders' }).getByRole('button', { name: 'Sent' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/folder=sent/)
  await expectNoOverflow()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks: the mailbox (${colorScheme})`, async ({ open, clinic }) => {
    const { page, email, receive } = await openEmail(clinic, open, { who: 'frontdesk' })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = async () => {
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
      return accessibilityViolations(page)
    }
    const patient = await createSender(page)
    await receive({ from: { name: patient.name, email: patient.email }, subject: 'Seen by axe', text: 'Hello' })
    await threads(page).getByRole('button', { name: patient.name }).click()
    // axe cannot run in the frame, where scripts are disabled.
    await page.getByRole('button', { name: 'Show as text' }).click()
    await expect(threads(page).getByRole('button', { name: patient.name })).not.toContainText('unread')
    expect(await violations()).toEqual([])
    await page.getByRole('button', { name: `Link to ${patient.name}` }).click()
    await expect(page.getByRole('link', { name: `Linked to ${patient.name}` })).toBeVisible()
    await page.keyboard.press('r')
    await expect(emailBody(page)).toBeFocused()
    await page.keyboard.type('Hello')
    await expect(saveState(page)).toHaveText('Saved')
    await page.getByRole('button', { name: 'Cc', exact: true }).click()
    await expect(page.getByRole('combobox', { name: 'Cc' })).toBeFocused()
    await page.keyboard.type(patient.name)
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('This is not an email address')).toBeVisible()
    expect(await violations()).toEqual([])
    await folders(page)
      .getByRole('button', { name: /^Drafts 1/ })
      .click()
    await expect(drafts(page)).toContainText('Seen by axe')
    expect(await violations()).toEqual([])
    await page.getByRole('button', { name: email }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: `Disconnect ${email}?` })
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByText('Your mailbox is disconnected')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Connect your mailbox' })).toBeVisible()
    expect(await violations()).toEqual([])
    await page.goto('/auth/nylas/callback')
    await expect(page.getByRole('heading', { name: 'Nothing to finish here' })).toBeVisible()
    expect(await violations()).toEqual([])
  })
}
