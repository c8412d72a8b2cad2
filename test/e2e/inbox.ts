import type { Page } from '@playwright/test'
import type { InboundMail } from '../../simulators/postmark/inbound.ts'
import { type Clinic, expect } from './clinic.ts'

export interface Writer {
  id: string
  email: string
  name: string
}

/** A patient of this test alone, who may write. */
export async function newWriter(page: Page): Promise<Writer> {
  const lastName = `Castellanos ${crypto.randomUUID().slice(0, 8)}`
  const email = `${crypto.randomUUID()}@fastmail.example`
  const answer = await page.request.post('/api/contacts', { data: { firstName: 'Inés', lastName, email } })
  expect(answer.status(), 'patient added').toBe(200)
  return { id: ((await answer.json()) as { id: string }).id, email, name: `Inés ${lastName}` }
}

/** A mail arrives, as Postmark posts it. */
export async function arrive({ outbox }: Clinic, mail: InboundMail): Promise<void> {
  const { status, body } = await outbox.inbound(mail)
  expect(status, body).toBe(200)
}

/** The conversation that a search finds, opened. */
export async function openConversation(page: Page, search: string): Promise<string> {
  const answer = await page.request.get(`/api/inbox/conversations?show=all&search=${encodeURIComponent(search)}`)
  const { data } = (await answer.json()) as { data: { id: string }[] }
  expect(data, search).toHaveLength(1)
  await page.goto(`/inbox?conversation=${data[0]!.id}`)
  return data[0]!.id
}

export const thread = (page: Page) => page.getByRole('list', { name: 'Messages' })
export const badge = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ })
