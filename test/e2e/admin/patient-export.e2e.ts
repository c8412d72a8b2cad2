import fs from 'node:fs'
import type { Page } from '@playwright/test'
import { unzip } from '../../formats/zip.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { addColleague, colleaguePassword, freshPage, signIn } from '../support/colleague.ts'
import { pressEscapeOnOpen } from '../support/press-escape-on-open.ts'
import { download, createPatient, pdfOf } from '../pages/patient.ts'

const files = [
  { name: 'Référence.pdf', type: 'application/pdf', bytes: pdfOf(1) },
  { name: 'référence.pdf', type: 'application/pdf', bytes: pdfOf(2) },
]
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Export patient record' })

const patientOf = async (staff: Page, clinic: Clinic) => {
  const firstName = `Ana-${crypto.randomUUID().slice(0, 8)}`
  return { firstName, id: await createPatient(staff, clinic, { firstName, email: `${crypto.randomUUID()}@elsewhere.example` }, files) }
}

/** By keyboard only. */
async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.getByRole('menuitem', { name: 'Export patient record…' }).press('Enter')
  await expect(dialogOf(page)).toBeVisible()
}

test('exports a patient record by keyboard as a zip with the entries, the files and an index page', async ({ open, clinic }) => {
  const page = await open('admin', '/contacts')
  const { id, firstName } = await patientOf(page, clinic)
  await page.goto(`/contacts/${id}`)
  await openDialog(page)
  const dialog = dialogOf(page)
  await expect(dialog.getByText(`Everything on file for ${firstName} Lavoie`)).toBeVisible()
  await expect(dialog.getByText('Documents, as files')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Export patient record' })).toBeFocused()
  const zip = await download(page, () => page.keyboard.press('Enter'))
  expect(zip.name).toMatch(new RegExp(`^${firstName} Lavoie, patient record, \\d{4}-\\d{2}-\\d{2}\\.zip$`))
  await expect(page.getByText('Your browser is saving the file')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const entries = await unzip(fs.readFileSync(zip.path))
  expect([...entries.keys()]).toEqual(['record.json', 'documents/Référence.pdf', 'documents/référence (2).pdf', 'index.html'])
  expect(entries.get('documents/référence (2).pdf')!.equals(files[1]!.bytes)).toBe(true)
  const record = JSON.parse(entries.get('record.json')!.toString()) as { patient: { first_name: string }[] }
  expect(record.patient[0]!.first_name).toBe(firstName)

  await page.goto('about:blank') // the app's content security policy would block its styles
  await page.setContent(entries.get('index.html')!.toString())
  await expect(page.getByRole('heading', { name: `${firstName} Lavoie` })).toBeVisible()
  await expect(page.getByRole('link', { name: 'référence (2).pdf' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await accessibilityViolations(page)).toEqual([])
  }
})

test('hides the export from roles other than administrator', async ({ open, clinic }) => {
  const page = await open('sales', '/contacts')
  const { id } = await patientOf(page, clinic)
  await page.goto(`/contacts/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete patient' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Export patient record…' })).toHaveCount(0)
})

test.describe('with rejected requests', () => {
  test.use({ expectedErrors: ['status of 403', 'status of 500'] })

  test('asks for the password once, reopens the dialog on cancel, and delivers the file', async ({ open, clinic, browser }) => {
    const admin = await open('admin', '/contacts')
    const { id } = await patientOf(admin, clinic)
    const page = await freshPage(browser, clinic)
    const colleague = await addColleague(clinic, admin, 'admin')
    await signIn(page, colleague.email)
    await expect(page).toHaveURL('/')
    await page.goto(`/contacts/${id}`)
    await clinic.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [colleague.id])
    await openDialog(page)
    const pressed = pressEscapeOnOpen(page)
    await page.keyboard.press('Enter')
    await pressed
    const proof = page.getByRole('dialog', { name: "Enter your password to export this patient's record" })
    await expect(page.getByText('The file was not saved')).toBeVisible()
    await expect(dialogOf(page).getByRole('button', { name: 'Export patient record' })).toBeEnabled()
    await dialogOf(page).getByRole('button', { name: 'Export patient record' }).press('Enter')
    await expect(proof.getByLabel('Password', { exact: true })).toBeFocused()
    await page.keyboard.type(colleaguePassword)
    const zip = await download(page, () => page.keyboard.press('Enter'))
    expect(zip.name).toMatch(/\.zip$/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.context().close()
  })

  test('shows an error when the outline fails to load, and loads it on retry', async ({ open, clinic }) => {
    const page = await open('admin', '/contacts')
    const { id } = await patientOf(page, clinic)
    const calls = '**/api/contacts/*/whole-record'
    await page.route(calls, (route) =>
      route.fulfill({ status: 500, json: { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong' } }),
    )
    await page.goto(`/contacts/${id}`)
    await openDialog(page)
    await expect(dialogOf(page).getByRole('alert')).toContainText('Couldn’t load the contents')
    await page.unroute(calls)
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
    await expect(dialogOf(page).getByText('Documents, as files')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused()
  })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`meets the WCAG 2.2 AA rules that axe checks, without horizontal scrolling at 375 px: patient record export (${colorScheme})`, async ({
    open,
    clinic,
  }) => {
    const page = await open('admin', '/contacts')
    const { id } = await patientOf(page, clinic)
    await clinic.rows("update documents set scan_state = 'infected' where contact_id = $1", [id])
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await page.goto(`/contacts/${id}`)
      await openDialog(page)
      await expect(dialogOf(page).getByText('2 documents are left out.')).toBeVisible()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })
}
