import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import { requestCode, signInToPortal, createPatient, pdfOf } from '../pages/patient.ts'

const files = [
  { name: 'Quote.pdf', type: 'application/pdf', bytes: pdfOf(2) },
  { name: 'Consent.pdf', type: 'application/pdf', bytes: pdfOf(1) },
]
const emailField = (page: Page) => page.getByLabel('Email')
const minutes = (count: number) => count * 60_000

test('signs in, opens a document, downloads a selection and signs out by keyboard only', async ({ page, open, clinic }) => {
  const email = 'keys@fastmail.example'
  await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const code = await requestCode(page, clinic, email)
  await page.keyboard.type(code)
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await press('Tab')
  await expect(page.getByRole('button', { name: 'Upload Documents' })).toBeFocused()
  await press('Enter')
  await expect(page.getByText('Maximum file size: 10MB')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Hide Upload' })).toBeFocused()
  await press('Tab')
  const area = page.getByRole('button', { name: 'Drag & drop files here, or click to select files' })
  const chooser = page.waitForEvent('filechooser')
  // Wait for the page to confirm that the file chooser is intercepted: keys travel separately and may arrive first.
  await expect(area).toBeFocused()
  await press('Enter')
  await chooser
  await press('Tab')
  await expect(page.getByRole('checkbox', { name: 'Select All' })).toBeFocused()
  await press('Space')
  await expect(page.getByRole('button', { name: 'Download Selected (2)' })).toBeEnabled()
  await press('Tab', 'Tab')
  await expect(page.getByRole('button', { name: /^View / }).first()).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('dialog').getByText(/^Page 1 of /)).toBeVisible()
  await press('Escape')
  await expect(page.getByRole('button', { name: /^View / }).first()).toBeFocused()
  await page.getByRole('button', { name: 'Sign out' }).focus()
  await press('Enter')
  await expect(emailField(page)).toBeFocused()
})

test.describe('an ended session', () => {
  test.use({ expectedErrors: ['401', '404'] })

  test('returns to the first step with a message and keeps the address', async ({ page, open, clinic }) => {
    const email = 'over@fastmail.example'
    await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
    const sessionToken = await signInToPortal(page, clinic, email)
    await page.request.post('/api/functions/patient-sign-out', { data: { sessionToken }, headers: { origin: clinic.url } })
    await page.getByRole('button', { name: 'Download Quote' }).click()
    await expect(page.getByRole('alert')).toHaveText('Your session has ended. Please verify your email address again.')
    await expect(emailField(page)).toHaveValue(email)
    await expect(page.getByText('Quote.pdf')).toHaveCount(0)

    await page.reload()
    await expect(emailField(page)).toHaveValue(email)
    await expect(page.getByRole('button', { name: 'Request Access' })).toBeVisible()
  })

  test('signs out after 15 idle minutes, with a warning a minute before that can be dismissed', async ({ page, open, clinic }) => {
    const email = 'idle@fastmail.example'
    await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
    await page.clock.install()
    await signInToPortal(page, clinic, email)
    await page.clock.fastForward(minutes(13))
    const warning = page.getByRole('dialog', { name: 'You’ll be signed out soon' })
    await expect(warning).toHaveCount(0)
    await page.clock.fastForward(minutes(1.2))
    await expect(warning).toBeVisible()
    const fetched = page.waitForResponse((response) => response.url().endsWith('/patient-documents-fetch'))
    await warning.getByRole('button', { name: 'Stay signed in' }).click()
    expect((await fetched).status()).toBe(200)
    await expect(warning).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await page.clock.fastForward(minutes(15))
    await expect(page.getByRole('alert')).toHaveText('For your safety you were signed out after 15 minutes without activity.')
    await expect(emailField(page)).toHaveValue(email)
    await expect(emailField(page)).toBeFocused()
  })
})

test('counts down to 0, and restarts with an empty field on Resend Code (spec 4)', async ({ page, open, clinic }) => {
  const email = 'countdown@fastmail.example'
  await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, [])
  await page.clock.install()
  await requestCode(page, clinic, email)
  await page.getByLabel('Verification code').fill('123')
  await page.clock.fastForward(minutes(16))
  await expect(page.getByText('Code expires in: 0:00')).toBeVisible()
  await expect(page.getByLabel('Verification code')).toHaveValue('123')
  await page.getByRole('button', { name: 'Resend Code' }).click()
  await expect(emailField(page)).toHaveValue(email)
  await page.getByRole('button', { name: 'Request Access' }).click()
  await expect(page.getByLabel('Verification code')).toHaveValue('')
  await expect(page.getByText(/^Code expires in: 1[45]:\d\d$/)).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`meets the WCAG 2.2 AA rules that axe checks at every step (${colorScheme})`, async ({ page, open, clinic }) => {
    const email = `axe-${colorScheme}@fastmail.example`
    await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const check = async (stage: string) => {
      expect.soft(await accessibilityViolations(page), stage).toEqual([])
    }
    await page.goto('/PatientDocuments')
    await page.getByRole('button', { name: 'Request Access' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await check('request')
    const code = await requestCode(page, clinic, email)
    await check('verify')
    await page.getByLabel('Verification code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Upload Documents' }).click()
    await expect(page.getByText('Maximum file size: 10MB')).toBeVisible()
    await page.locator('input[type=file]').setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }])
    await page.getByRole('checkbox', { name: 'Select Quote' }).check()
    await check('documents')
    await page.getByRole('button', { name: 'View Quote' }).click()
    await expect(page.getByRole('dialog').getByText('Page 1 of 2')).toBeVisible()
    await check('viewer')
  })

test('loads at most 130 KB of JavaScript on the first visit, none of it for staff', async ({ page }) => {
  const scripts: Promise<[string, number]>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => [response.url(), gzipSync(body, { level: 9 }).length]))
  })
  await page.goto('/PatientDocuments')
  await expect(page.getByRole('button', { name: 'Request Access' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const loaded = await Promise.all(scripts)
  expect(loaded.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(130_000)
  expect(loaded.map(([url]) => url).filter((url) => /\/(staff|api|routes|shell|list|dashboard|first-pages)-/.test(url))).toEqual([])
})
