import { expect, it } from 'vitest'
import { howReturned, placesOf } from './refund.ts'

const paid = { prepaid: [{ kind: 'gift-card' as const, last4: '4TLC', amountCents: 10_000 }], leftOfPrepaid: [10_000] }

it('says how much of a refund goes back to the gift card and how much is money (issue 29)', () => {
  const toCard = { label: 'Back to gift card ending in 4TLC', cents: 10_000 }
  expect(placesOf(paid, 27_120)).toEqual({ parts: [toCard], moneyCents: 17_120 })
  expect(placesOf(paid, 4_000)).toEqual({ parts: [{ ...toCard, cents: 4_000 }], moneyCents: 0 })
  expect(placesOf({ ...paid, leftOfPrepaid: [0] }, 4_000)).toEqual({ parts: [], moneyCents: 4_000 })
})

it('asks for money by hand unless Stripe or store credit returns it (issue 29)', () => {
  expect(howReturned('Card online', 'Card online')).toBe('The money goes back to the card automatically.')
  expect(howReturned('Debit', 'Card online')).toBe('Return the money on the card terminal or in cash.')
  expect(howReturned('Store credit', 'Debit')).toBe('The money becomes store credit.')
})
