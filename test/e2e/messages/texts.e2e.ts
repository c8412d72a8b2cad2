import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { messageList, receiveEmail } from '../pages/inbox.ts'

let numbers = 2_000

/** A patient with a mobile number. */
async function createPatient(page: Page, phone: string | null = `+1416555${numbers++}`, email?: string) {
  const lastName = `Thibault ${crypto.randomUUID().slice(0, 8)}`
  const data = { firstName: 'Rosalie', lastName, preferredLanguage: 'fr', ...(phone && { phone }), ...(email && { email }) }
  const response = await page.request.post('/api/contacts', { data })
  expect(response.status(), 'patient added').toBe(200)
  return { id: ((await response.json()) as { id: string }).id, number: phone ?? '', name: `Rosalie ${lastName}` }
}

const textsTo = ({ twilio }: Clinic, number: string) =>
  twilio.messages.filter(({ to, direction }) => to === number && direction === 'outbound-api').map(({ body }) => body)

test.describe('text messages', () => {
  test('staff text a patient, who answers, and ARRÊT ends every text (issue 28) @journey', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await createPatient(page)
    await page.goto(`/contacts/${patient.id}`)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Text ${patient.name}` })
    await dialog.getByLabel('Message').fill('Bonjour Rosalie, préférez-vous mardi ou jeudi?')
    await expect(dialog.getByText(/^46 characters · 1 segment, 114 left/)).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send text' }).click()
    await expect(page.getByText(/^The text message to .* is on its way$/)).toBeVisible()
    await expect.poll(() => textsTo(clinic, patient.number)).toEqual(['Bonjour Rosalie, préférez-vous mardi ou jeudi?'])

    await page.goto('/inbox')
    await page
      .getByRole('button', { name: new RegExp(patient.name) })
      .first()
      .click()
    await expect(messageList(page)).toContainText('Delivered')
    await clinic.twilio.receive({ from: patient.number, body: 'Jeudi après-midi si possible 🙂' })
    await expect(messageList(page)).toContainText('Jeudi après-midi si possible 🙂')
    const reply = page.getByRole('form', { name: 'Reply' })
    await reply.getByLabel('Your reply').fill('Parfait, à jeudi!')
    await reply.getByRole('button', { name: 'Send text' }).click()
    await expect.poll(() => textsTo(clinic, patient.number).at(-1)).toBe('Parfait, à jeudi!')
    expect(await accessibilityViolations(page)).toEqual([])

    await clinic.twilio.receive({ from: patient.number, body: 'Arrêt' })
    await expect(page.getByText('No text messages are sent to this number.')).toBeVisible()
    await expect.poll(() => textsTo(clinic, patient.number).at(-1)).toMatch(/^Harbourview : vous ne recevrez plus/)
    await expect(page.getByRole('button', { name: 'Send text' })).toHaveCount(0)
    await page.goto(`/contacts/${patient.id}`)
    await expect(page.getByText(`${patient.number} stopped text messages`)).toBeVisible()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('This number answered STOP.')
  })

  test('says why a text was not delivered, why its delivery is uncertain, and why a patient cannot be texted (issue 28)', async ({
    open,
    clinic,
  }) => {
    const page = await open('sales', '/inbox')
    const patient = await createPatient(page)
    const send = async (text: string) => {
      const data = { contactId: patient.id, phone: patient.number, text, idempotencyKey: crypto.randomUUID() }
      const { id } = (await (await page.request.post('/api/inbox/texts', { data })).json()) as { id: string }
      return id
    }
    clinic.twilio.setDeliveries({ outcome: 'undelivered', errorCode: 30003 })
    const id = await send('First')
    await page.goto(`/inbox?conversation=${id}`)
    await expect(messageList(page)).toContainText('Not delivered: the phone is off or out of reach.')
    clinic.twilio.setDeliveries({ outcome: 'none' })
    clinic.twilio.fault({ kind: 'dropAfter' })
    await send('Second')
    await expect(messageList(page)).toContainText(
      'Delivery uncertain. Twilio did not confirm that it took the text. It will not be sent again.',
    )
    clinic.twilio.setDeliveries({})
    const without = await createPatient(page, null)
    await page.goto(`/contacts/${without.id}`)
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('The patient has no phone number.')
  })

  test('shows texts and emails as one thread, who is replying, and asks before a second answer (issue 28) @journey', async ({
    open,
    clinic,
    expectedErrors,
  }) => {
    expectedErrors.push('status of 409')
    const page = await open('sales', '/inbox')
    const email = `${crypto.randomUUID()}@fastmail.example`
    const patient = await createPatient(page, undefined, email)
    await clinic.twilio.receive({ from: patient.number, body: 'Do you have time on Friday?' })
    await receiveEmail(clinic, { from: email, subject: 'My blood work', text: 'It is attached.' })
    const row = page.getByRole('list', { name: 'Conversations' }).getByRole('button', { name: new RegExp(patient.name) })
    await expect(row).toHaveCount(1)
    await row.click()
    await expect(messageList(page)).toContainText('Do you have time on Friday?')
    await expect(messageList(page)).toContainText('My blood work')
    // It starts where the patient wrote last, and keeps the words when the channel changes.
    const composer = page.getByRole('form', { name: 'Reply' })
    await expect(composer.getByRole('button', { name: 'Email', exact: true })).toHaveAttribute('aria-pressed', 'true')
    await expect(composer.getByLabel('Subject')).toHaveValue('Re: My blood work')

    const admin = await open('admin', `/inbox?conversation=${new URL(page.url()).searchParams.get('conversation')}`)
    await expect(messageList(admin)).toContainText('My blood work')
    await composer.getByLabel('Your reply').pressSequentially('At 2:30.')
    await expect(admin.getByText(/ is replying…$/)).toBeVisible()
    await composer.getByRole('button', { name: 'Text', exact: true }).click()
    await expect(composer.getByLabel('Your reply')).toHaveValue('At 2:30.')
    await composer.getByRole('button', { name: 'Send text' }).click()
    await expect.poll(() => textsTo(clinic, patient.number)).toEqual(['At 2:30.'])
    await expect(admin.getByText(/ is replying…$/)).toHaveCount(0)

    await admin.getByLabel('Your reply').fill('At three.')
    await admin.getByRole('button', { name: 'Send email' }).click()
    const question = admin.getByRole('dialog', { name: / has answered$/ })
    await expect(question).toBeVisible()
    expect(await accessibilityViolations(admin)).toEqual([])
    await question.getByRole('button', { name: 'Keep writing' }).click()
    await expect(admin.getByLabel('Your reply')).toHaveText('At three.')
    await admin.getByRole('button', { name: 'Send email' }).click()
    await question.getByRole('button', { name: 'Send anyway' }).click()
    await expect.poll(() => clinic.outbox.messages.filter(({ To }) => To === email).map(({ TextBody }) => TextBody)).toEqual(['At three.'])
  })

  test('begins at the first unread message, also once the composer has loaded (issue 28)', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const email = `${crypto.randomUUID()}@fastmail.example`
    const patient = await createPatient(page, undefined, email)
    for (let n = 0; n < 8; n++) await clinic.twilio.receive({ from: patient.number, body: `Question ${n}` })
    await clinic.rows('update messages set read_at = now() where from_email = $1', [patient.number])
    await receiveEmail(clinic, { from: email, subject: 'My questions', text: 'One more question?\n'.repeat(12) })
    const data = { contactId: patient.id, phone: patient.number, text: 'We call you.', idempotencyKey: crypto.randomUUID() }
    const { id } = (await (await page.request.post('/api/inbox/texts', { data })).json()) as { id: string }
    await page.goto(`/inbox?conversation=${id}`)
    await expect(page.getByRole('form', { name: 'Reply' }).getByLabel('Your reply')).toBeVisible()
    const unread = messageList(page).getByRole('listitem').filter({ hasText: 'My questions' })
    const distance = () => unread.evaluate((item) => (item as HTMLElement).offsetTop - item.closest('.overflow-y-auto')!.scrollTop)
    await expect.poll(distance).toBe(8)
  })

  test('sends the words of a text that was not delivered by email (issue 28)', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await createPatient(page, undefined, `${crypto.randomUUID()}@fastmail.example`)
    clinic.twilio.setDeliveries({ outcome: 'undelivered', errorCode: 30006 })
    const data = { contactId: patient.id, phone: patient.number, text: 'Friday at 2:30 is yours.', idempotencyKey: crypto.randomUUID() }
    const { id } = (await (await page.request.post('/api/inbox/texts', { data })).json()) as { id: string }
    await page.goto(`/inbox?conversation=${id}`)
    await expect(messageList(page)).toContainText('Not delivered: the number is a landline')
    clinic.twilio.setDeliveries({})
    await page.getByRole('button', { name: 'Send by email' }).click()
    await expect(page.getByLabel('Your reply')).toHaveText('Friday at 2:30 is yours.')
    await page.getByLabel('Subject').fill('Your consultation')
    await page.getByRole('button', { name: 'Send email' }).click()
    await expect(messageList(page).getByText(/^Email · Sent /)).toBeVisible()
    await expect(messageList(page)).toContainText('Your consultation')
  })

  test('schedules a text, changes it and sends it at once, and snoozes the conversation (issue 28)', async ({ open, clinic }) => {
    const page = await open('sales', '/inbox')
    const patient = await createPatient(page)
    await clinic.twilio.receive({ from: patient.number, body: 'When is my visit?' })
    await page
      .getByRole('button', { name: new RegExp(patient.name) })
      .first()
      .click()
    const composer = page.getByRole('form', { name: 'Reply' })
    await composer.getByLabel('Your reply').fill('On Friday.')
    await composer.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem', { name: /^In a week/ }).click()
    const scheduled = page.getByRole('list', { name: 'Scheduled messages' })
    await expect(scheduled).toContainText('On Friday.')
    await expect(composer.getByLabel('Your reply')).toHaveValue('')
    expect(textsTo(clinic, patient.number)).toEqual([])
    await scheduled.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change scheduled message' })
    await dialog.getByLabel('Message').fill('On Friday at 2:30.')
    expect(await accessibilityViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(scheduled).toContainText('On Friday at 2:30.')
    await scheduled.getByRole('button', { name: 'Send now' }).click()
    await expect.poll(() => textsTo(clinic, patient.number)).toEqual(['On Friday at 2:30.'])
    await expect(scheduled).toHaveCount(0)

    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('menuitem', { name: /^Tomorrow morning/ }).click()
    const list = page.getByRole('list', { name: 'Conversations' })
    await expect(list.getByRole('button', { name: new RegExp(patient.name) })).toHaveCount(0)
    await page.getByRole('tab', { name: 'Snoozed' }).click()
    await expect(list).toContainText(patient.name)
    await page.getByRole('tab', { name: 'All open' }).click()
    await clinic.twilio.receive({ from: patient.number, body: 'Thank you!' })
    await expect(list).toContainText(patient.name)
  })
})
