import { expect, type Page } from '@playwright/test'
import { makePdf } from '../../../demo/documents/pdf.ts'
import type { Clinic } from '../support/clinic.ts'

/** A PDF of that many pages, each with its page number in a font that is not embedded. */
export const pdfOf = (pages: number): Buffer => makePdf(Array.from({ length: pages }, (_, page) => [`Page ${page + 1} of ${pages}`]))

type File = { name: string; type: string; bytes: Buffer }

/** Creates a patient with shared documents. `staff` is a signed-in page. */
export async function createPatient(
  staff: Page,
  clinic: Clinic,
  who: { firstName: string; email: string; preferredLanguage?: 'en' | 'fr' },
  files: File[],
): Promise<string> {
  const headers = { origin: clinic.url }
  const created = await staff.request.post('/api/contacts', { data: { ...who, lastName: 'Lavoie' }, headers })
  expect(created.status(), await created.text()).toBe(200)
  const { id } = (await created.json()) as { id: string }
  for (const { name, type, bytes } of files) {
    const query = new URLSearchParams({ name, type: 'other', share: 'true' })
    const sent = await staff.request.post(`/api/contacts/${id}/documents?${query}`, {
      data: bytes,
      headers: { ...headers, 'content-type': type },
    })
    expect(sent.status(), await sent.text()).toBe(201)
  }
  return id
}

const codesTo = ({ outbox }: Clinic, email: string): string[] =>
  outbox.messages.filter((mail) => mail.To === email).map((mail) => /^\d{6}$/m.exec(mail.TextBody ?? '')?.[0] ?? '')

/** Requests a code and returns the one that was emailed. The page is then at its second step. */
export async function requestCode(page: Page, clinic: Clinic, email: string, path = '/PatientDocuments'): Promise<string> {
  const before = codesTo(clinic, email).length
  await page.goto(`${path}?email=${encodeURIComponent(email)}`)
  await page.getByRole('button', { name: 'Request Access' }).click()
  await expect(page.getByLabel('Verification code')).toBeFocused()
  await expect.poll(() => codesTo(clinic, email).length, { message: `an email to ${email}` }).toBe(before + 1)
  return codesTo(clinic, email)[0]!
}

/** Signs in and returns the session token. */
export async function signInToPortal(page: Page, clinic: Clinic, email: string): Promise<string> {
  const code = await requestCode(page, clinic, email)
  await page.getByLabel('Verification code').fill(code)
  const response = page.waitForResponse((candidate) => candidate.url().endsWith('/verify-document-access'))
  await page.getByRole('button', { name: 'Verify' }).click()
  const { sessionToken } = (await (await response).json()) as { sessionToken: string }
  await expect(page.getByRole('button', { name: /^(Sign out|Déconnexion)$/ })).toBeVisible()
  await expect(page.getByText(/^(Welcome, .+! You can view|Bonjour .+, vous pouvez voir)/)).toBeVisible()
  return sessionToken
}

/** Creates a patient and opens the home of the portal with a code. Returns the patient's id. `staff` is a signed-in page. */
export async function enterPortal(
  page: Page,
  staff: Page,
  clinic: Clinic,
  who: { firstName: string; email: string; preferredLanguage?: 'en' | 'fr' },
): Promise<string> {
  const id = await createPatient(staff, clinic, who, [])
  await openHome(page, clinic, who)
  return id
}

/** Opens the home of the portal with a code. */
export async function openHome(page: Page, clinic: Clinic, { firstName, email }: { firstName: string; email: string }): Promise<void> {
  const code = await requestCode(page, clinic, email, '/portal')
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(firstName) })).toBeFocused()
}

/** The file that a button downloads. */
export async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; path: string }> {
  const started = page.waitForEvent('download')
  await press()
  const file = await started
  return { name: file.suggestedFilename(), path: await file.path() }
}
