import { expect, it } from 'vitest'
import { describeCharge, describeDeposit, describeWaiver } from './labels.ts'

const card = { brand: 'visa', last4: '4242' }
const held = { feeCents: 5_000, depositCents: 7_500, depositCard: card, card }

it('says in figures what a fee takes from the deposit and the card, and what goes back (issue 29)', () => {
  expect(describeCharge(held)).toBe('$50.00 of the deposit of $75.00 is kept, and $25.00 goes back to Visa ending in 4242.')
  expect(describeCharge({ ...held, feeCents: 7_500 })).toBe('The deposit of $75.00 is kept.')
  const larger = { ...held, feeCents: 10_000 }
  expect(describeCharge(larger)).toBe('$75.00 is taken from the deposit, and $25.00 is charged to Visa ending in 4242.')
  expect(describeCharge({ ...larger, card: null })).toBe(
    '$75.00 is taken from the deposit. There is no saved card for the other $25.00, so a task is created.',
  )
  expect(describeCharge({ ...held, depositCents: 0 })).toBe('$50.00 is charged to Visa ending in 4242.')
  expect(describeCharge({ ...held, depositCents: 0, card: null })).toBe('There is no saved card for $50.00, so a task is created.')
})

it('says which amount a waiver gives back to which card (issue 29)', () => {
  expect(describeWaiver(7_500, card)).toBe('$75.00 of the deposit goes back to Visa ending in 4242.')
  expect(describeWaiver(7_500, null)).toBe('$75.00 of the deposit goes back to the card.')
  expect(describeWaiver(0, card)).toBeNull()
})

it('says what a fee took of the deposit and what goes back (issue 29)', () => {
  const deposit = { cents: 7_500, usedCents: 0, card }
  expect(describeDeposit('due', deposit)).toBe('Not paid')
  expect(describeDeposit('paid', deposit)).toBe('Paid')
  expect(describeDeposit('returned', deposit)).toBe('$75.00 back to Visa ending in 4242')
  expect(describeDeposit('returned', { ...deposit, usedCents: 5_000 })).toBe('$50.00 for the fee, $25.00 back to Visa ending in 4242')
  expect(describeDeposit('returned', { ...deposit, usedCents: 7_500 })).toBe('$75.00 for the fee')
})
