import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/clinic.ts'
import { unzip } from '../../formats/zip.ts'
import { requestCode, download, signInToPortal, createPatient, pdfOf } from '../pages/patient.ts'

/** A photo as written by an iPhone. */
const heic = path.join(import.meta.dirname, '../../files/pattern.heic')

// The system dialog cannot be automated; the test uses a stand-in.
test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker
  }),
)

const main = (page: Page) => page.getByRole('main')
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const pictureOf = (page: Page) => page.screenshot({ type: 'png' })

for (const width of [1440, 375]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: width === 375 ? 812 : 900 }, expectedErrors: ['401'] })

    test(
      'signs a patient in by code, shows, downloads and uploads documents, signs out, and reports the review (spec 2)',
      { tag: width === 375 ? '@journey' : [] },
      async ({ page, open, clinic }) => {
        const email = `eloise-${width}@fastmail.example`
        const staff = await open('frontdesk', '/contacts')
        const picture = await pictureOf(staff)
        const thirty = pdfOf(30)
        await createPatient(staff, clinic, { firstName: 'Éloïse', email }, [
          { name: 'Front view, natural light.png', type: 'image/png', bytes: picture },
          { name: 'Treatment plan.pdf', type: 'application/pdf', bytes: thirty },
          { name: 'IMG_0042.heic', type: 'image/heic', bytes: fs.readFileSync(heic) },
        ])

        await page.goto('/PatientDocuments')
        await expect(page.getByText('Enter your email address to receive a secure verification code.')).toBeVisible()
        await page.getByRole('button', { name: 'Request Access' }).click()
        await expect(page.getByRole('alert')).toHaveText('Please enter your email address')
        await page.getByLabel('Email').fill('eloise@nowhere')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('alert')).toHaveText('Please enter a valid email address')

        const code = await requestCode(page, clinic, email)
        await expect(page).toHaveURL(`/PatientDocuments?email=${encodeURIComponent(email)}`)
        await expect(page.getByText('Enter the 6-digit code sent to your email address.').first()).toBeVisible()
        await expect(page.getByText('el***@fastmail.example')).toBeVisible()
        await expect(page.getByText('No code? Call us; we may have a different email on file.')).toBeVisible()
        await expect(page.getByText(/^Code expires in: 1[45]:\d\d$/)).toBeVisible()
        const field = page.getByLabel('Verification code')
        await expect(field).toHaveAttribute('inputmode', 'numeric')
        await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
        const verify = page.getByRole('button', { name: 'Verify' })
        await field.fill('48 21 0')
        await expect(field).toHaveValue('48210')
        await expect(verify).toBeDisabled()
        await field.fill(code === '000000' ? '111111' : '000000')
        await verify.click()
        await expect(page.getByRole('alert')).toHaveText('Invalid verification code')
        await expect(field).toBeFocused()
        await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
        await expect(field).toHaveValue(code)
        await page.keyboard.press('Enter')

        await expect(page.getByText('Welcome, Éloïse! You can view and upload documents below.')).toBeVisible()
        await expect(page.getByRole('heading', { level: 1, name: 'Patient Document Portal' })).toBeFocused()
        await expect(page.getByText('In an emergency, call 911.')).toBeVisible()
        for (const name of ['Front view, natural light.png', 'Treatment plan.pdf'])
          await expect(rowOf(page, name).getByText('From clinic')).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing scrolls sideways').toBe(width)

        await page.getByRole('button', { name: 'View Front view' }).click()
        const viewer = page.getByRole('dialog')
        const image = viewer.getByRole('img', { name: 'Front view, natural light.png' })
        await expect(image).toBeVisible()
        expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(100)
        await viewer.getByRole('button', { name: 'Close' }).click()
        await expect(viewer).toHaveCount(0)
        await expect(page.getByRole('button', { name: 'View Front view' })).toBeFocused()

        await page.getByRole('button', { name: 'View Treatment plan' }).click()
        await expect(viewer.getByText('Page 1 of 30')).toBeVisible()
        await expect(viewer.getByRole('group')).toHaveCount(30)
        const first = await viewer.getByRole('group', { name: 'Page 1 of 30' }).boundingBox()
        expect(Math.round(first!.width)).toBe(width === 375 ? 343 : 700)
        await viewer.getByRole('group', { name: 'Page 30 of 30' }).scrollIntoViewIfNeeded()
        await expect(viewer.getByText('Page 30 of 30')).toBeVisible()
        await page.keyboard.press('Escape')

        await page.getByRole('button', { name: 'View IMG_0042' }).click()
        await expect(viewer.getByRole('img', { name: 'IMG_0042.heic' })).toBeVisible()
        await page.keyboard.press('Escape')

        const single = await download(page, () => page.getByRole('button', { name: 'Download Treatment plan' }).click())
        expect(single.name).toBe('Treatment plan.pdf')
        expect(fs.readFileSync(single.path).equals(thirty)).toBe(true)

        await page.getByRole('button', { name: 'Upload Documents' }).click()
        await expect(page.getByText('Drag & drop files here, or click to select files')).toBeVisible()
        await expect(page.getByText('Supported files: PDF, Word, Images (JPEG, PNG, HEIC)')).toBeVisible()
        await page.locator('input[type=file]').setInputFiles([
          { name: 'Blood test.pdf', mimeType: 'application/pdf', buffer: pdfOf(1) },
          { name: 'Huge.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) },
          { name: 'Insurance card.png', mimeType: 'image/png', buffer: picture },
          { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
          { name: 'Blood test.pdf', mimeType: 'application/pdf', buffer: pdfOf(2) },
        ])
        await expect(page.getByText('Upload failed for:')).toBeVisible()
        await expect(page.getByText('Huge.pdf: File is larger than 10485760 bytes')).toBeVisible()
        await expect(page.getByText('notes.txt: File type must be one of PDF, Word, JPEG, PNG, HEIC')).toBeVisible()
        await expect(page.getByText('Upload Complete!')).toBeVisible()
        await expect(page.getByText('Successfully uploaded 3 document(s)')).toBeVisible()
        await expect(rowOf(page, 'Insurance card.png').getByText('Uploaded by you')).toBeVisible()
        await expect(page.getByText('Upload Complete!')).toHaveCount(0)
        await page.getByRole('button', { name: 'Hide Upload' }).click()
        await expect(page.getByText('Maximum file size: 10MB')).toBeHidden()

        const all = page.getByRole('checkbox', { name: 'Select All' })
        await all.check()
        const count = await page.getByRole('checkbox', { name: /^Select / }).count()
        await expect(page.getByRole('button', { name: `Download Selected (${count - 1})` })).toBeVisible()
        await page.getByRole('checkbox', { name: 'Select Front view' }).uncheck()
        await expect(all).toHaveJSProperty('indeterminate', true)
        // The practice's date, not that of the browser in Auckland; midnight may pass in between.
        const zipName = () => `documents_${new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(new Date())}.zip`
        const nameBefore = zipName()
        const zip = await download(page, () => page.getByRole('button', { name: `Download Selected (${count - 2})` }).click())
        expect([nameBefore, zipName()]).toContain(zip.name)
        const entries = await unzip(fs.readFileSync(zip.path))
        expect([...entries.keys()]).toEqual(expect.arrayContaining(['Treatment plan.pdf', 'Blood test.pdf', 'Blood test (2).pdf']))
        expect(entries.get('Treatment plan.pdf')!.equals(thirty)).toBe(true)
        expect(entries.size).toBe(count - 2)
        await expect(page.getByRole('button', { name: /^Download Selected/ })).toHaveCount(0)
        await expect(all).not.toBeChecked()

        await page.getByRole('button', { name: 'Sign out' }).click()
        await expect(page.getByText('You are signed out.')).toBeVisible()
        await expect(page.getByLabel('Email')).toHaveValue(email)
        await expect(main(page).getByText('Treatment plan.pdf')).toHaveCount(0)

        await staff.goto('/documents')
        const waiting = staff.getByRole('listitem').filter({ hasText: 'Insurance card.png' })
        await waiting.getByRole('button', { name: 'Accept Insurance card.png' }).click()
        const isNotified = () =>
          clinic.outbox.messages.some(({ To, Subject }) => To === email && Subject?.includes('has received your document'))
        await expect.poll(isNotified, 'the patient is notified').toBe(true)
        await signInToPortal(page, clinic, email)
        await expect(rowOf(page, 'Insurance card.png').getByText('Received by the clinic')).toBeVisible()
        await expect(rowOf(page, 'Blood test.pdf').first().getByText('The clinic will review it soon')).toBeVisible()
      },
    )
  })
}
