import { expect, test } from '../clinic.ts'
import { unzip } from '../../zip.ts'
import { enterPortal, newPatient, pdfOf } from '../patient.ts'

const files = [
  { name: 'Quote.pdf', type: 'application/pdf', bytes: pdfOf(2) },
  { name: 'Consent.pdf', type: 'application/pdf', bytes: pdfOf(1) },
]

test('the zip is written piece by piece where the browser can', async ({ page, open, clinic }) => {
  const email = 'stream@fastmail.example'
  await newPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
  await page.addInitScript(() => {
    const written: number[] = []
    const createWritable = () => Promise.resolve(new WritableStream<Uint8Array>({ write: (chunk) => void written.push(...chunk) }))
    Object.assign(window, { written, showSaveFilePicker: () => Promise.resolve({ createWritable }) })
  })
  await enterPortal(page, clinic, email)
  await page.getByRole('checkbox', { name: 'Select All' }).check()
  await page.getByRole('button', { name: 'Download Selected (2)' }).click()
  await expect(page.getByRole('button', { name: 'Download Selected (0)' })).toBeVisible()
  const bytes = await page.evaluate(() => (window as unknown as { written: number[] }).written)
  const entries = await unzip(Buffer.from(bytes))
  expect(entries.get('Quote.pdf')!.equals(files[0]!.bytes)).toBe(true)
  expect(entries.size).toBe(2)
})

test.describe('what does not go well', () => {
  test.use({ expectedErrors: ['401', '404', '500'] })

  test('spec 8: a link that has ended is replaced without a word; a file that fails is left out of the zip; then there is none', async ({
    page,
    open,
    clinic,
  }) => {
    const email = 'links@fastmail.example'
    await newPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, files)
    await page.addInitScript(() => delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker)
    await enterPortal(page, clinic, email)
    const links = '**/api/functions/patient-document-file/**'
    // What the next fetches of a file get in place of it, one each. One route for all: to take one away under a request on its way may lose that.
    const answers: { status: number; json: object }[] = [{ status: 404, json: { code: 'NOT_FOUND', error: 'This link no longer works' } }]
    await page.route(links, (route) => {
      const answer = answers.shift()
      return answer ? route.fulfill(answer) : route.continue()
    })
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Quote' }).click()
    expect((await saved).suggestedFilename()).toBe('Quote.pdf')
    await expect(page.getByRole('alert')).toHaveCount(0)

    const warned = page.waitForEvent('console', (message) => message.type() === 'warning')
    const broken = { status: 500, json: { error: 'Something broke' } }
    answers.push(broken)
    await page.getByRole('checkbox', { name: 'Select All' }).check()
    const zipped = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Selected (2)' }).click()
    await zipped
    await warned
    await expect(page.getByText('Not in the ZIP')).toBeVisible()

    answers.push(broken, broken, broken)
    await page.getByRole('checkbox', { name: 'Select All' }).check()
    await page.getByRole('button', { name: 'Download Selected (2)' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Failed to download documents')
    await page.getByRole('button', { name: 'Download Quote' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Failed to download document')
  })
})

test.describe('a file that the server refuses', () => {
  test.use({ expectedErrors: ['422'] })

  test('spec 8: the patient reads why, and the files after it are sent all the same', async ({ page, open, clinic }) => {
    const email = 'refused@fastmail.example'
    await newPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, [])
    await enterPortal(page, clinic, email)
    await expect(page.getByText('No documents available yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Upload Documents' }).click()
    await expect(page.getByText('Maximum file size: 10MB')).toBeVisible()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'Photo.png', mimeType: 'image/png', buffer: pdfOf(1) },
      { name: 'Letter.pdf', mimeType: 'application/pdf', buffer: pdfOf(1) },
    ])
    await expect(page.getByText('Failed to upload Photo.png: This file is not what its name says')).toBeVisible()
    await expect(page.getByText('Successfully uploaded 1 document(s)')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Letter.pdf' }).getByText('Uploaded by you')).toBeVisible()
  })
})

test('what has become of a file is said in plain words, and one that is still looked at cannot be opened', async ({
  page,
  open,
  clinic,
}) => {
  const email = 'states@fastmail.example'
  await newPatient(await open('frontdesk', '/contacts'), clinic, { firstName: 'Ana', email }, [
    ...files,
    { name: 'Referral.pdf', type: 'application/pdf', bytes: pdfOf(1) },
    { name: 'Letter.pdf', type: 'application/pdf', bytes: pdfOf(1) },
  ])
  const states: Record<string, object> = {
    'Referral.pdf': { signedUrl: null },
    'Letter.pdf': { signedUrl: null, review_state: 'rejected', reject_reason: 'The virus scanner has found something in it.' },
    'Consent.pdf': { review_state: 'rejected', reject_reason: 'The signature is missing.' },
    'Quote.pdf': { review_state: 'accepted', type: 'application/msword' },
  }
  await page.route('**/verify-document-access', async (route) => {
    const response = await route.fetch()
    const said = (await response.json()) as { documents: { name: string }[] }
    const documents = said.documents.map((document) => ({ ...document, upload_source: 'patient', ...states[document.name] }))
    await route.fulfill({ response, json: { ...said, documents } })
  })
  await enterPortal(page, clinic, email)
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row('Consent.pdf').getByText('The clinic could not use this file: The signature is missing.')).toBeVisible()
  await expect(row('Letter.pdf').getByText('The virus scanner has found something in it.')).toBeVisible()
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
