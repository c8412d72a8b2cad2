import { expect, it } from 'vitest'
import { howReturned, placesOf, refundableOf } from './refund.ts'

const paid = { prepaid: [{ kind: 'gift-card' as const, last4: '4TLC', amountCents: 10_000 }], leftOfPrepaid: [10_000] }

it('says how much of a refund goes back to the gift card and how much is money (issue 29)', () => {
  const toCard = { label: 'Back to gift card ending in 4TLC', cents: 10_000 }
  expect(placesOf(paid, 27_120)).toEqual({ parts: [toCard], moneyCents: 17_120 })
  expect(placesOf(paid, 4_000)).toEqual({ parts: [{ ...toCard, cents: 4_000 }], moneyCents: 0 })
  expect(placesOf({ ...paid, leftOfPrepaid: [0] }, 4_000)).toEqual({ parts: [], moneyCents: 4_000 })
})

it('asks for money by hand unless Stripe or store credit returns it (issue 29)', () => {
  const online = { paymentMethod: 'Card online', card: null }
  expect(howReturned('Card online', online)).toBe('The money goes back to the card automatically.')
  expect(howReturned('Debit', online)).toBe('Return the money on the card terminal or in cash.')
  expect(howReturned('Store credit', { ...online, paymentMethod: 'Debit' })).toBe('The money becomes store credit.')
})

it('names the card that the money goes back to (issue 29)', () => {
  const online = { paymentMethod: 'Card online', card: { brand: 'visa', last4: '4242' } }
  expect(howReturned('Card online', online)).toBe('The money goes back to the Visa ending in 4242 automatically.')
})

it('counts no gift card that was used as refundable (issue 29)', () => {
  // Sold for $100.00 and used up, next to a line of which $25.00 is left.
  expect(refundableOf({ leftOfLines: [0, 2_500] })).toBe(2_500)
})
