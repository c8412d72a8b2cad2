import { expect, type Page } from '@playwright/test'
import { makePdf } from '../../demo/papers.ts'
import type { Clinic } from './clinic.ts'

/** A PDF of that many pages, each of which says its number in a font that it does not carry. */
export const pdfOf = (pages: number): Buffer => makePdf(Array.from({ length: pages }, (_, page) => [`Page ${page + 1} of ${pages}`]))

type File = { name: string; type: string; bytes: Buffer }

/** A patient with documents that the clinic shares. `staff` is someone who is signed in. */
export async function newPatient(staff: Page, clinic: Clinic, who: { firstName: string; email: string }, files: File[]): Promise<string> {
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

/** Asks for a code, and returns the one that was mailed. The page stands at its second stage. */
export async function askForCode(page: Page, clinic: Clinic, email: string): Promise<string> {
  const before = codesTo(clinic, email).length
  await page.goto(`/PatientDocuments?email=${encodeURIComponent(email)}`)
  await page.getByRole('button', { name: 'Request Access' }).click()
  await expect(page.getByLabel('Verification code')).toBeFocused()
  await expect.poll(() => codesTo(clinic, email).length, { message: `a mail to ${email}` }).toBe(before + 1)
  return codesTo(clinic, email)[0]!
}

/** Signs in; returns the session's token. */
export async function enterPortal(page: Page, clinic: Clinic, email: string): Promise<string> {
  const code = await askForCode(page, clinic, email)
  await page.getByLabel('Verification code').fill(code)
  const answer = page.waitForResponse((response) => response.url().endsWith('/verify-document-access'))
  await page.getByRole('button', { name: 'Verify' }).click()
  const { sessionToken } = (await (await answer).json()) as { sessionToken: string }
  await expect(page.getByText(/^Welcome, .+! You can view and upload documents below\.$/)).toBeVisible()
  return sessionToken
}

/** What a button puts into the browser's downloads. */
export async function downloaded(page: Page, press: () => Promise<void>): Promise<{ name: string; path: string }> {
  const coming = page.waitForEvent('download')
  await press()
  const download = await coming
  return { name: download.suggestedFilename(), path: await download.path() }
}
