import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { createPatient, type Patient } from '../pages/patient-documents.ts'

const panel = (page: Page) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Consent', exact: true }) })
    .last()

async function openPatient(page: Page, { id }: Patient): Promise<void> {
  await page.goto(`/contacts/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  if (page.viewportSize()!.width < 1152) await page.getByRole('tab', { name: 'Details' }).click()
}

/** Sends a marketing email to a consenting patient and returns the path of its unsubscribe link. */
async function sendMarketingEmail(page: Page, { outbox }: Clinic, { id, email }: Patient): Promise<string> {
  const data = { contactId: id, email, subject: 'Offers', text: 'Half the price', isCommercial: true, idempotencyKey: crypto.randomUUID() }
  const response = await page.request.post('/api/inbox/conversations', { data })
  expect(response.status(), await response.text()).toBe(200)
  const link = () => /^Unsubscribe: (\S+)$/m.exec(outbox.messages.find(({ To }) => To === email)?.TextBody ?? '')?.[1]
  await expect.poll(link, 'the email with its link').toBeDefined()
  return new URL(link()!).pathname
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('records consent, emails on it, lets the patient unsubscribe without signing in, and shows each step on the record', async ({
      open,
      clinic,
      browser,
    }) => {
      const page = await open('sales', '/contacts')
      const patient = await createPatient(page)
      await openPatient(page, patient)
      await expect(panel(page).getByText('No consent')).toHaveCount(2)
      await panel(page).getByRole('button', { name: 'Record consent' }).click()
      const dialog = page.getByRole('dialog', { name: 'Record consent' })
      await dialog.getByLabel('What the patient agreed to').fill(' ')
      await dialog.getByRole('button', { name: 'Record consent' }).click()
      await expect(dialog.getByText('Enter what the patient agreed to')).toBeVisible()
      await dialog.getByLabel('What the patient agreed to').fill('Yes, please send me offers.')
      await dialog.getByLabel('How it was given').click()
      await page.getByRole('option', { name: 'By phone' }).click()
      await dialog.getByRole('button', { name: 'Record consent' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(panel(page).getByText('No expiry')).toBeVisible()
      await expect(panel(page).getByRole('button', { name: 'Consent: ' })).toHaveText(/May be contacted/)

      const path = await sendMarketingEmail(page, clinic, patient)
      const context = await browser.newContext({ viewport, baseURL: clinic.url })
      const patientPage = await context.newPage()
      await patientPage.goto(path)
      await expect(patientPage.getByText(patient.email)).toBeVisible()
      expect(await accessibilityViolations(patientPage)).toEqual([])
      await patientPage.getByRole('button', { name: 'Unsubscribe' }).click()
      await expect(patientPage.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()
      await patientPage.reload()
      await expect(patientPage.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()
      await context.close()

      // Live, without a reload.
      await expect(panel(page).getByText('No consent')).toHaveCount(2)
      await expect(panel(page).getByText(patient.email)).toBeVisible()
      await panel(page).getByRole('button', { name: 'Show history (1)' }).click()
      await expect(panel(page).getByText(/Withdrawn .* with the link in an email/)).toBeVisible()
      await expect(panel(page).getByText('Yes, please send me offers.')).toBeVisible()

      await panel(page).getByRole('button', { name: 'Record consent' }).click()
      await expect(dialog.getByText(`${patient.email} unsubscribed.`)).toBeVisible()
      await page.keyboard.press('Escape')
      expect(await accessibilityViolations(page)).toEqual([])
    })

    test('withdraws consent after confirmation, by keyboard only', async ({ open }) => {
      const page = await open('billing', '/contacts')
      const patient = await createPatient(page)
      const given = await page.request.post(`/api/contacts/${patient.id}/consent`, { data: { wording: 'Offers', way: 'paper' } })
      expect(given.status()).toBe(200)
      await openPatient(page, patient)
      await panel(page).getByRole('button', { name: 'Withdraw' }).press('Enter')
      const question = page.getByRole('dialog', { name: 'Withdraw the patient’s consent?' })
      await question.getByRole('button', { name: 'Withdraw consent' }).press('Enter')
      await expect(question).toHaveCount(0)
      await expect(panel(page).getByText('No consent')).toHaveCount(2)
      await expect(panel(page).getByRole('button', { name: 'Consent: ' })).toHaveText(/Not given/)
    })
  })
}

test.describe('an unknown link', () => {
  test.use({ expectedErrors: ['status of 404'] })

  test('shows an error and what to do', async ({ page }) => {
    const response = await page.goto('/u/made-up')
    expect(response!.status()).toBe(404)
    await expect(page.getByText(/^This link does not work\./)).toBeVisible()
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  })
})

test('emails a welcome to a new lead (spec 9)', async ({ open, clinic }) => {
  const page = await open('admin', '/contacts')
  const source = await page.request.post('/api/lead-sources', { data: { name: `Landing ${crypto.randomUUID()}` } })
  const { webhookKey } = (await source.json()) as { webhookKey: string }
  const email = `${crypto.randomUUID()}@fastmail.example`
  const lead = await fetch(`${clinic.url}/api/leads/${webhookKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ first_name: 'Noor', last_name: 'Haddad', email, phone: '905-555-0142' }),
  })
  expect(lead.status).toBe(202)
  await expect.poll(() => clinic.outbox.messages.find(({ To }) => To === email)?.Subject).toBe('Thank you for contacting Harbourview')
  expect(clinic.outbox.messages.find(({ To }) => To === email)?.TextBody).toContain('Hello Noor,')

  const { id } = (await (await page.request.get(`/api/contacts/by-email?email=${encodeURIComponent(email)}`)).json()) as { id: string }
  await openPatient(page, { id, email, name: 'Noor Haddad' })
  await expect(panel(page).getByText('Implied by an inquiry')).toHaveCount(2)
  await expect(page.getByText('Hello Noor,').first()).toBeVisible()
})
