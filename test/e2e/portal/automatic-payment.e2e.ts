import { dayFromNow } from '../pages/appointments.ts'
import { asStaff } from '../pages/forms.ts'
import { createPatient, openHome } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'

test('agrees to automatic payment of instalments, and the next one is seen on the account (issue 29)', async ({ page, open, clinic }) => {
  const admin = await open('admin', '/contacts')
  const email = 'instalments@fastmail.example'
  const id = await createPatient(admin, clinic, { firstName: 'Deepa', email, preferredLanguage: 'en' }, [])
  await asStaff(admin, 'POST', `/contacts/${id}/charges`, {
    description: 'Laser',
    amountCents: 60_000,
    dueOn: dayFromNow(0),
    plan: [0, 2].map((days) => ({ dueOn: dayFromNow(days), amountCents: 30_000 })),
    idempotencyKey: crypto.randomUUID(),
  })
  await openHome(page, clinic, { firstName: 'Deepa', email })
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Pay by card' }).first().click()
  const payment = await opened
  await payment.getByRole('checkbox', { name: 'Save this card for later payments' }).check()
  await payment.getByRole('checkbox', { name: 'Pay my later instalments automatically' }).check()
  await expect(payment.getByText('I allow Harbourview to charge this card for each of my later instalments')).toBeVisible()
  expect(await accessibilityViolations(payment)).toEqual([])
  await payment.getByRole('button', { name: 'Continue to card details' }).click()
  const frame = payment.frameLocator('iframe')
  await frame.locator('[name=number]').fill('4242 4242 4242 4242')
  await frame.locator('[name=expiry]').fill('12 / 40')
  await frame.locator('[name=cvc]').fill('123')
  await payment.getByRole('button', { name: 'Pay $300.00' }).click()
  await expect(payment.getByText('$300.00 was charged to your card.')).toBeVisible()

  const run = () => clinic.rows("select graphile_worker.add_job('cards.charge-instalments')")
  const stateOf = async () =>
    (await clinic.rows<{ status: string }>('select status from instalment_charges where contact_id = $1', [id]))[0]?.status
  await expect
    .poll(async () => ((await (await admin.request.get(`/api/contacts/${id}/account`)).json()) as { balanceCents: number }).balanceCents)
    .toBe(30_000)
  await run()
  await expect.poll(stateOf).toBe('announced')
  // The day on which it is charged has come.
  await clinic.rows('update instalment_charges set charge_on = $2 where contact_id = $1', [id, dayFromNow(-1)])
  await run()
  await expect.poll(stateOf).toBe('paid')
  await admin.goto(`/contacts/${id}?tab=account`)
  const charges = admin.getByRole('list', { name: 'Automatic charges' })
  await expect(charges).toContainText('Paid')
  await expect(charges).toContainText('$300.00')
  expect(await accessibilityViolations(admin)).toEqual([])
  await admin.getByRole('button', { name: 'Stop…' }).click()
  await admin.getByRole('button', { name: 'Stop automatic payments' }).click()
  await expect(admin.getByText('Stopped. Instalments are no longer charged automatically.')).toBeVisible()
})
