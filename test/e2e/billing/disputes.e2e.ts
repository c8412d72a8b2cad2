import type { Page } from '@playwright/test'
import { chooseMethod, confirmation, consultationTotal, createCustomer, paymentDialog, setUpSale, takePayment } from '../pages/payment.ts'
import { accessibilityViolations } from '../support/axe.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

/** Sells a consultation, charged to a card at a reader. @returns the customer and Stripe's id of the charge. */
async function sellByCard(page: Page, clinic: Clinic) {
  const reader = clinic.stripe.addReader('Front desk')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await chooseMethod(dialog, 'Card terminal')
  await takePayment(dialog).click()
  await confirmation(page)
    .getByRole('button', { name: `Charge card - ${consultationTotal}` })
    .click()
  const card = paymentDialog(page, 'Card Payment')
  await expect(card.getByText('Waiting for the card at Front desk…')).toBeVisible()
  clinic.stripe.present(reader.id as string)
  await expect(paymentDialog(page, 'Sales Receipt Created!')).toContainText(consultationTotal)
  clinic.stripe.change(reader.id as string, { object: 'removed' })
  return { customer, chargeId: clinic.stripe.list('charge')[0]!.id as string }
}

test(
  'answers a dispute with prepared evidence, once, and shows that it was won (issue 29)',
  { tag: '@journey' },
  async ({ open, clinic, expectedErrors }) => {
    expectedErrors.push('409')
    const desk = await open('frontdesk', '/contacts')
    const { customer, chargeId } = await sellByCard(desk, clinic)
    clinic.stripe.dispute({ charge: chargeId, reason: 'product_not_received' })
    const page = await open('billing', '/collections')
    await page.getByRole('tab', { name: /^Disputes/ }).click()
    const row = page.getByRole('row').filter({ hasText: customer.name })
    await expect(row).toContainText('The service was not received')
    await expect(row).toContainText('Needs evidence')
    await expect(row).toContainText(/By .+, in \d+ days/)
    await row.getByRole('button', { name: customer.name }).click()
    const drawer = page.getByRole('dialog', { name: `Dispute of ${consultationTotal}` })
    const statement = drawer.getByRole('textbox', { name: 'Statement to the bank' })
    await expect(statement).toHaveValue(/The cardholder paid \$282\.50/)
    await expect(statement).toHaveValue(/at a reader in the practice/)
    await expect(statement).not.toHaveValue(/[Cc]onsultation/)
    await expect(drawer.getByText('None signed')).toBeVisible()
    expect(await accessibilityViolations(page)).toEqual([])
    await statement.fill('winning_evidence')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Keep editing' }).click()
    await expect(statement).toHaveValue('winning_evidence')
    // A colleague saves another statement in the meantime: what is typed is kept.
    const [saved] = await clinic.rows<{ id: string; version: number }>('select id, version from card_disputes')
    const theirs = { version: saved!.version, statement: 'What a colleague wrote' }
    expect((await page.request.put(`/api/disputes/${saved!.id}/statement`, { data: theirs })).status()).toBe(200)
    await drawer.getByRole('button', { name: 'Save draft' }).click()
    await expect(drawer.getByText('Someone else has changed this statement.')).toBeVisible()
    await expect(statement).toHaveValue('winning_evidence')
    expect(await accessibilityViolations(page)).toEqual([])
    await drawer.getByRole('button', { name: 'Keep what I typed' }).click()
    await drawer.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Statement saved')).toBeVisible()
    await drawer.getByRole('button', { name: 'Submit evidence…' }).click()
    const question = page.getByRole('dialog', { name: 'Submit the evidence to the bank?' })
    await question.getByRole('button', { name: 'Submit evidence' }).click()
    await expect(drawer.getByText('Won', { exact: true })).toBeVisible()
    await expect(drawer.getByRole('button', { name: 'Submit evidence…' })).toBeHidden()
    expect(clinic.stripe.list('dispute')[0]).toMatchObject({ status: 'won', evidence_details: { submission_count: 1 } })
    await page.keyboard.press('Escape')
    await expect(row).toContainText('Won')
    const opener = row.getByRole('button', { name: customer.name })
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(drawer.getByText('Won', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  },
)

test(
  'names the cent by which a payout differs, and posts it once that is accepted (issue 29)',
  { tag: '@journey' },
  async ({ open, clinic }) => {
    const desk = await open('frontdesk', '/contacts')
    const { customer, chargeId } = await sellByCard(desk, clinic)
    const moved = clinic.stripe.list('balance_transaction').find(({ source }) => source === chargeId)!
    clinic.stripe.change(moved.id as string, { amount: 28_251, net: (moved.net as number) + 1 })
    clinic.stripe.payOut()
    const page = await open('billing', '/collections?tab=payouts')
    const row = page.getByRole('row').filter({ hasText: '1 difference' })
    await expect(row).toContainText('Amount differs from our record')
    expect(await accessibilityViolations(page)).toEqual([])
    await row.getByRole('button').click()
    const drawer = page.getByRole('dialog', { name: /^Payout of/ })
    await expect(drawer.getByText('Amount differs from our record: $282.51 instead of $282.50')).toBeVisible()
    await expect(drawer.getByRole('list', { name: 'Transactions' })).toContainText(customer.name)
    expect(await accessibilityViolations(page)).toEqual([])
    await drawer.getByRole('button', { name: 'Accept differences…' }).click()
    const question = page.getByRole('dialog', { name: 'Accept these differences?' })
    await question.getByRole('button', { name: 'Accept and post' }).click()
    await expect(question.getByText('Say why the differences are acceptable')).toBeVisible()
    await question.getByRole('textbox', { name: 'Reason' }).fill('Stripe rounds in our favour')
    await question.getByRole('button', { name: 'Accept and post' }).click()
    await expect(drawer.getByText('Posted', { exact: true })).toBeVisible()
    await expect(drawer.getByText(/Stripe rounds in our favour/)).toBeVisible()
    const receiptLink = drawer
      .getByRole('listitem')
      .filter({ hasText: customer.name })
      .getByRole('link', { name: /^Receipt/ })
    await receiptLink.click()
    const receipt = page.getByRole('dialog', { name: /^Receipt/ })
    await expect(receipt).toContainText(customer.name)
    await page.keyboard.press('Escape')
    await expect(receipt).toBeHidden()
    await expect(receiptLink).toBeFocused()
    const [deposit] = clinic.quickBooks.deposits()
    expect(deposit).toMatchObject({ DepositToAccountRef: { name: 'RBC Operating Chequing' } })
    await page.setViewportSize({ width: 375, height: 800 })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('list', { name: 'Payouts' })).toContainText('Posted')
    await expect(page.getByRole('list', { name: 'Payouts' }).getByRole('button').first()).toBeFocused()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  },
)

test('tells providers that they see no payouts and disputes (issue 29)', async ({ open }) => {
  const page = await open('provider', '/collections?tab=payouts')
  await expect(page.getByText('Providers see no payments')).toBeVisible()
})
