import { expect, it } from 'vitest'
import { formatPaidBy } from './labels.ts'

const part = (kind: 'gift-card' | 'credit' | 'fee', amountCents: number) => ({ kind, last4: null, amountCents })

it('names the money and each balance that paid a receipt, but not what the practice bore (issue 29)', () => {
  const sale = { paymentMethod: 'Debit', totalCents: 27_120, prepaidCents: 0, prepaid: [] }
  expect(formatPaidBy(sale)).toBe('Debit')
  expect(formatPaidBy({ ...sale, prepaidCents: 10_000, prepaid: [part('gift-card', 10_000)] })).toBe('Debit and gift card')
  const both = [part('credit', 7_120), part('gift-card', 20_000)]
  expect(formatPaidBy({ ...sale, paymentMethod: 'Gift card', prepaidCents: 27_120, prepaid: both })).toBe('Gift card and store credit')
  expect(formatPaidBy({ ...sale, paymentMethod: 'Medicard', prepaidCents: 1_000, prepaid: [part('fee', 1_000)] })).toBe('Medicard')
  expect(formatPaidBy({ ...sale, paymentMethod: null })).toBeNull()
})
