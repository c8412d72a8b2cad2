import type { Page } from '@playwright/test'
import { newQuote } from '../../billing/quotes.ts'
import { clientOf } from '../../server.ts'
import { dayFromNow } from '../pages/appointments.ts'
import { asStaff } from '../pages/forms.ts'
import { createPatient, openHome } from '../pages/patient.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, demoPassword, expect, test } from '../support/clinic.ts'

/** A patient who owes $2,000.00 now and $1,500.00 in a month. */
async function debtor(admin: Page, clinic: Clinic, email: string, preferredLanguage: 'en' | 'fr' = 'en') {
  const id = await createPatient(admin, clinic, { firstName: 'Deepa', email, preferredLanguage }, [])
  const charge = { isBeforeSurgery: false, plan: [] }
  for (const [amountCents, dueOn] of [
    [200_000, dayFromNow(0)],
    [150_000, dayFromNow(30)],
  ] as const)
    await asStaff(admin, 'POST', `/contacts/${id}/charges`, {
      ...charge,
      description: 'Mastopexy',
      amountCents,
      dueOn,
      idempotencyKey: crypto.randomUUID(),
    })
  return id
}

const balanceOf = async (admin: Page, id: string) =>
  ((await (await admin.request.get(`/api/contacts/${id}/account`)).json()) as { balanceCents: number }).balanceCents

async function typeCard(page: Page, number: string) {
  const frame = page.frameLocator('iframe')
  await frame.locator('[name=number]').fill(number)
  await frame.locator('[name=expiry]').fill('12 / 40')
  await frame.locator('[name=cvc]').fill('123')
}

/** Opens the payment page, which is a tab of its own. */
async function openPayment(page: Page, name: string | RegExp): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name }).first().click()
  return opened
}

test(
  'pays what is due by card from the portal, after a card that is declined (issue 29)',
  { tag: '@journey' },
  async ({ page, open, clinic }) => {
    const admin = await open('admin', '/contacts')
    const id = await debtor(admin, clinic, 'pays@fastmail.example')
    await openHome(page, clinic, { firstName: 'Deepa', email: 'pays@fastmail.example' })
    await expect(page.getByText('Balance of $3,500.00')).toBeVisible()
    await expect(page.getByText('Due now: $2,000.00')).toBeVisible()
    const payment = await openPayment(page, 'Pay by card')
    await expect(payment.getByRole('heading', { level: 1, name: 'Pay by card' })).toBeVisible()
    await expect(payment.getByRole('listitem').filter({ hasText: 'Mastopexy' })).toHaveCount(2)
    await expect(payment.getByRole('radio', { name: 'Due now $2,000.00' })).toBeChecked()
    await payment.getByRole('radio', { name: 'Another amount' }).check()
    await payment.getByRole('textbox', { name: 'Amount in dollars' }).fill('3500.01')
    await payment.getByRole('button', { name: 'Continue to card details' }).click()
    await expect(payment.getByText('Enter an amount from $0.50 to $3,500.00.')).toBeVisible()
    expect(await accessibilityViolations(payment)).toEqual([])
    await payment.getByRole('textbox', { name: 'Amount in dollars' }).fill('500')
    await payment.getByRole('button', { name: 'Continue to card details' }).click()
    await expect(payment.getByRole('button', { name: 'Pay $500.00' })).toBeEnabled()
    await payment.getByRole('button', { name: 'Change amount' }).click()
    await payment.getByRole('radio', { name: 'Due now $2,000.00' }).check()
    expect(await accessibilityViolations(payment)).toEqual([])
    await payment.getByRole('checkbox', { name: 'Save this card for later payments' }).check()
    await expect(payment.getByText('I allow Harbourview to keep this card with Stripe')).toBeVisible()
    await payment.getByRole('button', { name: 'Continue to card details' }).click()
    await expect(payment.getByRole('button', { name: 'Pay $2,000.00' })).toBeEnabled()
    await payment.getByRole('button', { name: 'Pay $2,000.00' }).click()
    await expect(payment.getByText('Please complete your card details.')).toBeVisible()
    await typeCard(payment, '4000 0000 0000 9995')
    await payment.getByRole('button', { name: 'Pay $2,000.00' }).click()
    await expect(payment.getByText('Your bank declined the payment: not enough funds. Nothing was charged.')).toBeVisible()
    await typeCard(payment, '4242 4242 4242 4242')
    await payment.getByRole('button', { name: 'Pay $2,000.00' }).click()
    await expect(payment.getByRole('heading', { level: 1, name: 'Payment received' })).toBeFocused()
    await expect(payment.getByText('$2,000.00 was charged to your card.')).toBeVisible()
    await expect(payment.getByText('$1,500.00 is left to pay.')).toBeVisible()
    expect(await accessibilityViolations(payment)).toEqual([])
    const closed = payment.waitForEvent('close')
    await payment.getByRole('link', { name: 'Back to the portal' }).click()
    await closed
    await expect.poll(() => balanceOf(admin, id)).toBe(150_000)
    expect(clinic.quickBooks.receipts()[0]).toMatchObject({ TotalAmt: 2_000 })
    const payments = await clinic.rows<{ intent: string }>('select stripe_payment_id as intent from card_payments where contact_id = $1', [
      id,
    ])
    const charges = clinic.stripe.list('charge').filter(({ status }) => status === 'succeeded')
    expect(charges.filter((charge) => payments.some(({ intent }) => intent === charge.payment_intent))).toHaveLength(1)
    await page.reload()
    await openHome(page, clinic, { firstName: 'Deepa', email: 'pays@fastmail.example' })
    // What is due in a month is not left to do.
    await expect(page.getByText('You have nothing to fill in, sign or pay right now.')).toBeVisible()
    await page.getByRole('button', { name: /^Receipts and balance.*next|^Receipts and balance.*due/ }).click()
    await expect(page.getByText('$1,500.00 to pay')).toBeVisible()
    await expect(page.getByText('Payment to your account')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Pay by card' })).toBeVisible()
  },
)

test('pays a quote’s deposit in French on a phone, confirmed with the bank (issue 29)', async ({ page, open, clinic }) => {
  const admin = await open('admin', '/contacts')
  const email = 'acompte@fastmail.example'
  const id = await createPatient(admin, clinic, { firstName: 'Éloïse', email, preferredLanguage: 'fr' }, [])
  const signIn = await admin.request.post('/api/auth/sign-in', { data: { email: 'admin@refyne.example', password: demoPassword } })
  const cookie = signIn
    .headersArray()
    .filter(({ name }) => name.toLowerCase() === 'set-cookie')
    .map(({ value }) => value.split(';')[0]!)
    .join('; ')
  const client = clientOf(clinic.url, cookie)
  const draft = await newQuote(client, id, { validUntil: dayFromNow(20) })
  const instalments = draft.instalments.map((part, index) => ({ ...part, dueOn: dayFromNow(30 * (index + 1)) }))
  const quote = await client.quotes.create({ ...draft, instalments })
  await client.quotes.send({ id: quote.id, version: quote.version, email: null, idempotencyKey: crypto.randomUUID() })
  await client.quotes.accept({ id: quote.id, totalCents: quote.totalCents })
  await page.setViewportSize({ width: 375, height: 800 })
  await openHome(page, clinic, { firstName: 'Éloïse', email })
  await page.getByRole('button', { name: /^Soumissions/ }).click()
  const payment = await openPayment(page, /^Payer .* de Soumission/)
  await payment.setViewportSize({ width: 375, height: 800 })
  await payment.getByRole('button', { name: 'Continuer vers la carte' }).click()
  await typeCard(payment, '4000 0027 6000 3184')
  await payment.getByRole('button', { name: /^Payer/ }).click()
  await payment.frameLocator('iframe').getByRole('button', { name: 'Réussir l’authentification' }).click()
  await expect(payment.getByRole('heading', { level: 1, name: 'Paiement reçu' })).toBeFocused()
  expect(await payment.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await expect.poll(() => balanceOf(admin, id)).toBe(quote.totalCents - quote.depositCents)
})

test.describe('a link that expired', () => {
  // The call for it is answered with 404.
  test.use({ expectedErrors: ['404'] })
  test('is said to be one, and Stripe’s script may run on the payment page only (issue 29)', async ({ page, clinic }) => {
    const policyOf = async (path: string) => (await page.request.get(path)).headers()['content-security-policy']
    expect(await policyOf('/pay/x')).toContain(clinic.stripe.url)
    expect(await policyOf('/portal')).not.toContain(clinic.stripe.url)
    await page.goto('/pay/expired')
    await expect(page.getByText('This link has expired or is incomplete.')).toBeVisible()
  })
})
