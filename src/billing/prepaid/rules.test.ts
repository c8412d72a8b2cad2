import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { giftCardCode, hasExpired, leftOfPrepaid, readGiftCardCode, sessionCents, spreadReturn } from './rules.ts'

describe('the code of a gift card', () => {
  it('is read as it was made, however it is typed (issue 29)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.constantFrom('-', ' ', ''), fc.boolean(), (bytes, gap, isLower) => {
        const code = giftCardCode(bytes)
        const typed = code.replaceAll('-', gap)
        expect(code).toMatch(/^(?:[2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/)
        expect(readGiftCardCode(` ${isLower ? typed.toLowerCase() : typed} `)).toBe(code)
      }),
    )
  })

  it.each(['', 'K7QM', 'K7QM-2XRW-9PHD-4TL', 'K7QM-2XRW-9PHD-4TLCX', 'K7QM-2XRW-9PHD-4TL0', 'K7QM-2XRW-9PHD-4TLÉ'])(
    'is not “%s” (issue 29)',
    (typed) => {
      expect(readGiftCardCode(typed)).toBeNull()
    },
  )
})

describe('the sessions of a package', () => {
  it('use up its price to the cent, and differ by a cent at most (issue 29)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 100, max: 1_000_000 }), (sessions, price) => {
        const values: number[] = []
        let left = price
        for (let sessionsLeft = sessions; sessionsLeft > 0; sessionsLeft--) {
          const cents = sessionCents({ balanceCents: left, sessionsLeft })
          left -= cents
          values.push(cents)
        }
        expect(left).toBe(0)
        expect(Math.max(...values) - Math.min(...values)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it.each([
    [null, false],
    ['2026-11-29', false],
    ['2026-11-28', true],
  ])('with the last day %s have expired today: %s (issue 29)', (expiresOn, isOver) => {
    expect(hasExpired({ expiresOn }, '2026-11-29')).toBe(isOver)
  })
})

describe('a refund of a sale that balances paid', () => {
  it('owes a balance nothing more once money was refunded to it on top (issue 29)', () => {
    const credit = (amountCents: number) => ({ accountId: 'one', kind: 'credit' as const, amountCents })
    expect(leftOfPrepaid([credit(5_000)], [credit(-2_000)])).toEqual([3_000])
    expect(leftOfPrepaid([credit(5_000)], [credit(-5_000), credit(-1_000)])).toEqual([0])
    expect(leftOfPrepaid([credit(5_000)], [{ ...credit(-5_000), accountId: 'other' }])).toEqual([5_000])
  })

  it('gives every balance at most what it paid, and money only after all of it (issue 29)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { maxLength: 10 }), fc.nat(200_000), (left, amount) => {
        const { returned, moneyCents } = spreadReturn(left, amount)
        const sum = returned.reduce((all, part) => all + part, 0)
        expect(sum + moneyCents).toBe(amount)
        for (const [index, part] of returned.entries()) expect(part).toBeLessThanOrEqual(left[index]!)
        if (moneyCents > 0) expect(returned).toEqual(left)
      }),
    )
  })
})
