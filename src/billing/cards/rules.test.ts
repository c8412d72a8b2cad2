import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intentStatuses } from '../../integrations/stripe/shapes.ts'
import { cardStatuses, dueNow, expiresAt, statusAfter } from './rules.ts'

describe('statusAfter', () => {
  it.each([
    ['started', 'requires_payment_method', 'open'],
    ['open', 'requires_action', 'open'],
    ['open', 'processing', 'processing'],
    ['processing', 'requires_payment_method', 'open'],
    ['open', 'canceled', 'cancelled'],
    ['open', 'succeeded', 'paid'],
    ['cancelled', 'succeeded', 'paid'],
    ['cancelled', 'requires_payment_method', 'cancelled'],
    ['paid', 'processing', 'paid'],
    ['paid', 'canceled', 'paid'],
  ] as const)('is, from %s and with an intent that is %s, %s (issue 29)', (before, intent, after) => {
    expect(statusAfter(before, intent)).toBe(after)
  })

  it('ends as paid in whatever order the answers of a payment that succeeded arrive (issue 29)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...cardStatuses), fc.array(fc.constantFrom(...intentStatuses)), fc.nat(20), (first, answers, at) => {
        const heard = answers.toSpliced(Math.min(at, answers.length), 0, 'succeeded')
        expect(heard.reduce(statusAfter, first)).toBe('paid')
      }),
    )
  })
})

describe('dueNow', () => {
  it.each([
    ['nothing', [], 0],
    [
      'what is late and due today',
      [
        ['2026-11-01', 100],
        ['2026-11-29', 20],
        ['2026-12-01', 3],
      ],
      120,
    ],
    [
      'all of the next day if nothing is due yet',
      [
        ['2027-01-15', 3],
        ['2026-12-20', 20],
        ['2026-12-20', 100],
      ],
      120,
    ],
  ] as const)('is %s (issue 29)', (_, portions, cents) => {
    expect(
      dueNow(
        portions.map(([dueOn, openCents]) => ({ dueOn, openCents })),
        '2026-11-29',
      ),
    ).toBe(cents)
  })
})

it('lets a card work until its month is over (issue 29)', () => {
  expect(expiresAt({ expiryMonth: 11, expiryYear: 2026 })).toEqual(new Date('2026-12-01T00:00:00Z'))
  expect(expiresAt({ expiryMonth: 12, expiryYear: 2026 })).toEqual(new Date('2027-01-01T00:00:00Z'))
})
