import type { Page } from '@playwright/test'
import { makePdf, makePng } from '../../../demo/documents/pdf.ts'
import { type Clinic, expect } from '../support/clinic.ts'

export const consentPdf = makePdf([
  ['Consent to surgery', 'I agree to the operation.'],
  ['Page two', 'Signed in Oakville.'],
])
export const photoPng = makePng(320, 240, (x, y) => [x % 256, y, 120])

export interface Patient {
  id: string
  email: string
  name: string
}

/** Creates a patient for this test. */
export async function createPatient(page: Page): Promise<Patient> {
  const lastName = `Tremblay ${crypto.randomUUID().slice(0, 8)}`
  const email = `${crypto.randomUUID()}@fastmail.example`
  const response = await page.request.post('/api/contacts', { data: { firstName: 'Noor', lastName, email } })
  expect(response.status(), 'patient added').toBe(200)
  return { id: ((await response.json()) as { id: string }).id, email, name: `Noor ${lastName}` }
}

/** Uploads files as the patient: requests a code by email, starts a session, then sends one file after another. */
export async function uploadAsPatient({ url, outbox }: Clinic, { id, email }: Patient, files: Record<string, Buffer>): Promise<void> {
  const post = (path: string, data: object) =>
    fetch(`${url}/api/functions/${path}`, { method: 'POST', body: JSON.stringify(data), headers: { 'content-type': 'application/json' } })
  await post('request-document-access', { email })
  const code = () => /\b\d{6}\b/.exec(outbox.messages.find(({ To }) => To === email)?.TextBody ?? '')?.[0]
  await expect.poll(code, 'a code by email').toBeDefined()
  const verified = await post('verify-document-access', { email, otp: code() })
  const { sessionToken } = (await verified.json()) as { sessionToken: string }
  for (const [name, bytes] of Object.entries(files)) {
    const form = new FormData()
    form.set('contactId', id)
    form.set('sessionToken', sessionToken)
    form.set('file', new File([new Uint8Array(bytes)], name))
    const response = await fetch(`${url}/api/functions/patient-document-upload`, {
      method: 'POST',
      headers: { 'x-portal-session': sessionToken },
      body: form,
    })
    expect(response.status, await response.text()).toBe(201)
  }
}

export const documentsUrl = ({ id }: Patient) => `/contacts/${id}?tab=documents`
export const documentList = (page: Page) => page.getByRole('list', { name: 'Documents', exact: true })
export const documentRow = (page: Page, name: string) => documentList(page).getByRole('listitem').filter({ hasText: name })
