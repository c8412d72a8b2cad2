import type { Page } from '@playwright/test'
import type { Definition } from '../../../src/outreach/sequences/definition-contract.ts'
import { define, step } from '../../outreach/sequences.ts'
import { weekdayFromNow, dialog, fetchJson } from '../pages/appointments.ts'
import { messageList, receiveEmail } from '../pages/inbox.ts'
import { openHome } from '../pages/patient.ts'
import { expect, test } from '../support/clinic.ts'

const number = '+14165556101'

/** Adds a template of a text, and returns its id. */
const addText = async (page: Page, body: string): Promise<string> =>
  (
    await fetchJson<{ id: string }>(page, '/email-templates', {
      name: `lead_${crypto.randomUUID().slice(0, 8)}`,
      channel: 'text',
      category: 'lead',
      subject: '',
      body,
    })
  ).id

/** Creates a sequence and turns it on. */
async function switchOn(page: Page, name: string, draft: Definition): Promise<void> {
  const { id } = await fetchJson<{ id: string }>(page, '/sequences', { name, draft })
  await fetchJson(page, `/sequences/${id}/versions`, { version: 1, moves: false })
  const on = await page.request.put(`/api/sequences/${id}/on`, { data: { on: true, days: 0 } })
  expect(on.ok(), await on.text()).toBe(true)
}

test.describe('a lead', () => {
  test.afterEach(({ clinic }) => clinic.setClock(null))

  test('is texted within seconds, answers, writes on three channels in one conversation, books, and ends every text with ARRÊT (issue 28) @journey', async ({
    open,
    clinic,
    page,
  }) => {
    test.setTimeout(120_000)
    // Noon at the practice: no text is held back until morning.
    clinic.setClock(new Date(`${new Date().toISOString().slice(0, 10)}T17:00:00Z`))
    const staff = await open('admin', '/inbox')
    const [hello, again] = [
      await addText(staff, 'Hello {{first_name}}, which day suits you?'),
      await addText(staff, '{{first_name}}, are you still there?'),
    ]
    const source = await fetchJson<{ id: string; webhookKey: string }>(staff, '/lead-sources', {
      name: `Landing ${crypto.randomUUID().slice(0, 8)}`,
      sendsWelcome: false,
    })
    const steps = () => [step.text(hello), step.wait(3), step.text(again)]
    await switchOn(staff, 'Answer leads', define({ trigger: { kind: 'lead', sourceIds: [source.id] }, steps: steps() }))
    const exits = { reply: 'continue', booking: false, surgery: false, stage: false } as const
    await switchOn(staff, 'Before the visit', define({ trigger: { kind: 'appointment-booked' }, exits, steps: steps() }))
    const textsTo = () => clinic.twilio.messages.filter(({ to }) => to === number).map(({ body }) => body)

    const email = `${crypto.randomUUID()}@fastmail.example`
    const form = { first_name: 'Maëlle', last_name: 'Ouellet', email, phone: number }
    expect((await page.request.post(`${clinic.url}/api/leads/${source.webhookKey}`, { form })).status()).toBe(202)
    await expect.poll(textsTo, { timeout: 5_000 }).toEqual(['Hello Maëlle, which day suits you?'])

    await clinic.twilio.receive({ from: number, body: 'Thursday, please' })
    const row = staff.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: /Maëlle Ouellet/ })
    await row.click()
    await expect(messageList(staff)).toContainText('Thursday, please')
    await receiveEmail(clinic, { from: email, subject: 'My blood work', text: 'It is attached.' })
    await openHome(page, clinic, { firstName: 'Maëlle', email })
    await page.getByRole('button', { name: 'Messages' }).click()
    await page.getByLabel('Your message').fill('May I bring my sister?')
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page.getByText('Message sent.')).toBeVisible()

    await expect(row).toHaveCount(1)
    for (const words of ['Hello Maëlle', 'Thursday, please', 'It is attached.', 'May I bring my sister?'])
      await expect(messageList(staff)).toContainText(words)
    for (const channel of ['Text', 'Email', 'Portal'])
      await expect(
        messageList(staff)
          .getByText(new RegExp(`^${channel} · `))
          .first(),
      ).toBeVisible()

    const [{ contactId }] = (await clinic.rows<{ contactId: string }>(
      `select contact_id as "contactId" from conversations where address = $1 limit 1`,
      [number],
    )) as [{ contactId: string }]
    await staff.goto(`/contacts/${contactId}`)
    await expect(staff.getByRole('list', { name: 'Sequences of the patient' })).toContainText('The patient replied')
    await staff.getByRole('button', { name: 'Book', exact: true }).click()
    const booking = dialog(staff, 'Book appointment')
    await booking.getByLabel('Date').fill(weekdayFromNow(20))
    // Which times are free depends on the day.
    await booking.getByRole('radiogroup', { name: 'Openings of the day' }).getByRole('radio').last().click()
    await booking.getByRole('button', { name: /^Book / }).click()
    await expect(booking).toHaveCount(0)
    await expect(staff.getByText(/^Consultation booked for /).first()).toBeVisible()

    // The second text of another sequence waits for its day.
    await expect.poll(textsTo).toHaveLength(2)
    const listed = staff.getByRole('list', { name: 'Sequences of the patient' }).getByRole('listitem')
    await expect(listed.filter({ hasText: 'Before the visit' })).toContainText('Under way')
    await clinic.twilio.receive({ from: number, body: 'ARRÊT' })
    await expect(listed.filter({ hasText: 'Before the visit' })).toContainText('The patient unsubscribed or asked to stop')
    await expect(staff.getByText(`${number} stopped text messages`)).toBeVisible()
    await expect.poll(() => textsTo().at(-1)).toMatch(/^Harbourview : vous ne recevrez plus/)
    expect(textsTo()).toHaveLength(3)
  })
})
