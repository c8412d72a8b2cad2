import type { Page } from '@playwright/test'
import type { InboundMail } from '../../../simulators/postmark/inbound.ts'
import { type Clinic, expect } from '../support/clinic.ts'

export interface Sender {
  id: string
  email: string
  name: string
}

/** Creates a patient who sends emails in this test. */
export async function createSender(page: Page): Promise<Sender> {
  const lastName = `Castellanos ${crypto.randomUUID().slice(0, 8)}`
  const email = `${crypto.randomUUID()}@fastmail.example`
  const response = await page.request.post('/api/contacts', { data: { firstName: 'Inés', lastName, email } })
  expect(response.status(), 'patient added').toBe(200)
  return { id: ((await response.json()) as { id: string }).id, email, name: `Inés ${lastName}` }
}

/** Delivers an email the way Postmark posts it. */
export async function receiveEmail({ outbox }: Clinic, mail: InboundMail): Promise<void> {
  const { status, body } = await outbox.inbound(mail)
  expect(status, body).toBe(200)
}

/** Opens the conversation found by a search, and returns its id. */
export async function openConversation(page: Page, search: string): Promise<string> {
  const response = await page.request.get(`/api/inbox/conversations?show=all&search=${encodeURIComponent(search)}`)
  const { data } = (await response.json()) as { data: { id: string }[] }
  expect(data, search).toHaveLength(1)
  await page.goto(`/inbox?conversation=${data[0]!.id}`)
  return data[0]!.id
}

export const messageList = (page: Page) => page.getByRole('list', { name: 'Messages' })
export const inboxBadge = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ })
