import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'
import { messageList } from '../pages/inbox.ts'

let numbers = 2_000

/** A patient with a mobile number. */
async function createPatient(page: Page, phone: string | null = `+1416555${numbers++}`) {
  const lastName = `Thibault ${crypto.randomUUID().slice(0, 8)}`
  const data = { firstName: 'Rosalie', lastName, preferredLanguage: 'fr', ...(phone && { phone }) }
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
    await expect(dialog.getByText('46 characters · 1 segment, 114 left.')).toBeVisible()
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
})
