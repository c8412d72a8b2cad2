import { accessibilityViolations } from '../support/axe.ts'
import { expect, test } from '../support/clinic.ts'
import {
  chooseMethod,
  confirmation,
  consultationTotal,
  createCustomer,
  expectReceipts,
  paymentDialog,
  receiptsOf,
  setUpSale,
  takePayment,
} from '../pages/payment.ts'

test('charges a card at a reader, declined at first, and records the receipt (issue 29)', { tag: '@journey' }, async ({ open, clinic }) => {
  const reader = clinic.stripe.addReader('Front desk')
  const page = await open('frontdesk', '/contacts')
  const customer = await createCustomer(page)
  const dialog = await setUpSale(page, customer)
  await chooseMethod(dialog, 'Card terminal')
  await takePayment(dialog).click()
  await confirmation(page)
    .getByRole('button', { name: `Charge card - ${consultationTotal}` })
    .click()
  const card = paymentDialog(page, 'Card Payment')
  await expect(card.getByText('Waiting for the card at Front desk…')).toBeVisible()
  clinic.stripe.present(reader.id as string, { number: '4000000000000002' })
  await expect(card.getByText('The card was not charged')).toBeVisible()
  expect(receiptsOf(clinic, customer)).toEqual([])
  await expect(card.getByRole('combobox', { name: 'Reader' })).toContainText('Front desk')
  expect(await accessibilityViolations(page)).toEqual([])
  await card.getByRole('button', { name: `Charge card - ${consultationTotal}` }).click()
  await expect(card.getByText('Waiting for the card at Front desk…')).toBeVisible()
  clinic.stripe.present(reader.id as string, { isInterac: true })
  await expect(paymentDialog(page, 'Sales Receipt Created!')).toContainText(consultationTotal)
  await expectReceipts(clinic, customer, 1)
  expect(receiptsOf(clinic, customer)).toMatchObject([{ TotalAmt: 282.5, PrivateNote: 'Paid by Card terminal' }])
  clinic.stripe.change(reader.id as string, { object: 'removed' })
})
