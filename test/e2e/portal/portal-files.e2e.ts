import { expect, test } from '../support/clinic.ts'
import { unzip } from '../../formats/zip.ts'
import { signInToPortal, createPatient, pdfOf } from '../pages/patient.ts'

const files = [
  { name: 'Quote.pdf', type: 'application/pdf', bytes: pdfOf(2) },
  { name: 'Consent.pdf', type: 'application/pdf', bytes: pdfOf(1) },
]

test('streams the zip to disk where the browser supports it', async ({ page, open, clinic }) => {
  const email = 'stream@fastmail.example'
  await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
  await page.addInitScript(() => {
    const written: number[] = []
    const createWritable = () => Promise.resolve(new WritableStream<Uint8Array>({ write: (chunk) => void written.push(...chunk) }))
    Object.assign(window, { written, showSaveFilePicker: () => Promise.resolve({ createWritable }) })
  })
  await signInToPortal(page, clinic, email)
  await page.getByRole('checkbox', { name: 'Select All' }).check()
  await page.getByRole('button', { name: 'Download Selected (2)' }).click()
  await expect(page.getByRole('checkbox', { name: 'Select All' })).not.toBeChecked()
  const bytes = await page.evaluate(() => (window as unknown as { written: number[] }).written)
  const entries = await unzip(Buffer.from(bytes))
  expect(entries.get('Quote.pdf')!.equals(files[0]!.bytes)).toBe(true)
  expect(entries.size).toBe(2)
})

test.describe('with failures', () => {
  test.use({ expectedErrors: ['401', '404', '500'] })

  test('replaces an expired link silently, omits a failed file from the zip, and makes no zip without files (spec 8)', async ({
    page,
    open,
    clinic,
  }) => {
    const email = 'links@fastmail.example'
    await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
    await page.addInitScript(() => delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker)
    await signInToPortal(page, clinic, email)
    const links = '**/api/functions/patient-document-file/**'
    // Responses for the next file requests, one each. A single route: removing a route with a request in flight may lose that request.
    const responses: { status: number; json: object }[] = [{ status: 404, json: { code: 'NOT_FOUND', error: 'This link no longer works' } }]
    await page.route(links, (route) => {
      const stub = responses.shift()
      return stub ? route.fulfill(stub) : route.continue()
    })
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Quote' }).click()
    expect((await saved).suggestedFilename()).toBe('Quote.pdf')
    await expect(page.getByRole('alert')).toHaveCount(0)

    const warned = page.waitForEvent('console', (message) => message.type() === 'warning')
    const broken = { status: 500, json: { error: 'Something broke' } }
    responses.push(broken)
    await page.getByRole('checkbox', { name: 'Select All' }).check()
    const zipped = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Selected (2)' }).click()
    await zipped
    await warned
    await expect(page.getByText('Not in the ZIP')).toBeVisible()

    responses.push(broken, broken, broken)
    await page.getByRole('checkbox', { name: 'Select All' }).check()
    await page.getByRole('button', { name: 'Download Selected (2)' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Failed to download documents')
    await page.getByRole('button', { name: 'Download Quote' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Failed to download document')
  })
})

test.describe('a file rejected by the server', () => {
  test.use({ expectedErrors: ['422'] })

  test('shows the patient the reason and still uploads the remaining files (spec 8)', async ({ page, open, clinic }) => {
    const email = 'refused@fastmail.example'
    await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, [])
    await signInToPortal(page, clinic, email)
    await expect(page.getByText('No documents available yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Upload Documents' }).click()
    await expect(page.getByText('Maximum file size: 10MB')).toBeVisible()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'Photo.png', mimeType: 'image/png', buffer: pdfOf(1) },
      { name: 'Letter.pdf', mimeType: 'application/pdf', buffer: pdfOf(1) },
    ])
    await expect(page.getByText('Failed to upload Photo.png: This file’s contents do not match its name')).toBeVisible()
    await expect(page.getByText('Successfully uploaded 1 document(s)')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Letter.pdf' }).getByText('Uploaded by you')).toBeVisible()
  })
})

test('describes each file’s status in plain words, and does not open one that is being scanned', async ({ page, open, clinic }) => {
  const email = 'states@fastmail.example'
  await createPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, [
    ...files,
    { name: 'Referral.pdf', type: 'application/pdf', bytes: pdfOf(1) },
    { name: 'Letter.pdf', type: 'application/pdf', bytes: pdfOf(1) },
  ])
  const states: Record<string, object> = {
    'Referral.pdf': { signedUrl: null },
    'Letter.pdf': { signedUrl: null, review_state: 'rejected', reject_reason: 'The virus scanner found a threat in this file.' },
    'Consent.pdf': { review_state: 'rejected', reject_reason: 'The signature is missing.' },
    'Quote.pdf': { review_state: 'accepted', type: 'application/msword' },
  }
  await page.route('**/verify-document-access', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { documents: { name: string }[] }
    const documents = body.documents.map((document) => ({ ...document, upload_source: 'patient', ...states[document.name] }))
    await route.fulfill({ response, json: { ...body, documents } })
  })
  await signInToPortal(page, clinic, email)
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row('Consent.pdf').getByText('The clinic could not use this file: The signature is missing.')).toBeVisible()
  await expect(row('Letter.pdf').getByText('The virus scanner found a threat in this file.')).toBeVisible()
  await expect(row('Letter.pdf').getByRole('button')).toHaveCount(0)
  await expect(row('Quote.pdf').getByText('Received by the clinic')).toBeVisible()
  await row('Quote.pdf').getByRole('button', { name: 'View' }).click()
  await expect(page.getByText('Cannot preview this file type. Please download.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row('Referral.pdf').getByText('We are still checking this file for viruses.')).toBeVisible()
  await expect(row('Referral.pdf').getByRole('button')).toHaveCount(1)
  await page.getByRole('checkbox', { name: 'Select All' }).check()
  await expect(page.getByRole('button', { name: 'Download Selected (2)' })).toBeVisible()
  await row('Referral.pdf').getByRole('button', { name: 'Check again' }).click()
  await expect(row('Referral.pdf').getByRole('button', { name: 'View' })).toBeVisible()
})
