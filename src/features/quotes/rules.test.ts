import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { totalsOf } from '../pos/rules.ts'
import { dueParts, planComesTo, priceWith, priceWithout, quoteTotals, refusalOfAcceptance, shownStatus } from './rules.ts'

const line = fc.record({
  unitPrice: fc.nat(5_000_000),
  quantity: fc.integer({ min: 1, max: 40 }),
  taxCodeId: fc.constantFrom('hst', 'gst', 'qst', 'none'),
  rate: fc.constantFrom(130_000, 50_000, 99_750, 0),
})
const day = fc
  .date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2028-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe('issue 8: what a quote comes to', () => {
  it('is what a receipt of the same lines would, to the cent: each line’s tax rounded half up, once', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 50 }), (lines) => {
        const totals = quoteTotals(lines)
        expect(totals).toEqual(totalsOf(lines, 0))
        expect(totals.total).toBe(totals.subtotal + totals.tax)
        for (const [index, { unitPrice, quantity, rate }] of lines.entries()) {
          const exact = (BigInt(unitPrice) * BigInt(quantity) * BigInt(rate) * 2n + 1_000_000n) / 2_000_000n
          expect(BigInt(totals.lines[index]!.tax)).toBe(exact)
        }
        expect(totals.tax).toBe(totals.lines.reduce((sum, { tax }) => sum + tax, 0))
      }),
    )
  })
})

describe('issue 8: deposit and instalments', () => {
  it('are due in parts that sum to the total to the cent, none before it was accepted, one for each day, earliest first', () => {
    const plan = fc.record({
      depositCents: fc.nat(5_000_000),
      instalments: fc.array(fc.record({ dueOn: day, amountCents: fc.integer({ min: 1, max: 900_000 }) }), { maxLength: 60 }),
    })
    fc.assert(
      fc.property(plan, day, (given, acceptedOn) => {
        const total = given.depositCents + given.instalments.reduce((sum, { amountCents }) => sum + amountCents, 0)
        expect(planComesTo(given, total)).toBe(true)
        expect(planComesTo(given, total + 1)).toBe(false)
        const parts = dueParts(given, acceptedOn)
        expect(parts.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(total)
        const days = parts.map(({ dueOn }) => dueOn)
        expect(days).toEqual([...new Set(days)].toSorted())
        expect(days.every((dueOn) => dueOn >= acceptedOn)).toBe(true)
      }),
    )
  })
})

describe('issue 8: what becomes of a quote', () => {
  it('one that was sent can be accepted up to its last day, and is expired from the next', () => {
    const sent = { status: 'sent', validUntil: '2026-11-30' } as const
    expect([shownStatus(sent, '2026-11-30'), refusalOfAcceptance(sent, '2026-11-30')]).toEqual(['sent', null])
    expect([shownStatus(sent, '2026-12-01'), refusalOfAcceptance(sent, '2026-12-01')]).toEqual(['expired', 'EXPIRED'])
  })

  it.each([
    ['draft', 'NOT_OPEN'],
    ['declined', 'NOT_OPEN'],
    ['withdrawn', 'NOT_OPEN'],
    ['accepted', 'NOT_OPEN'],
    ['superseded', 'SUPERSEDED'],
  ] as const)('%s: refused with %s', (status, code) => {
    expect(refusalOfAcceptance({ status, validUntil: '2026-11-30' }, '2026-11-30')).toBe(code)
  })

  it('a case costs what its accepted quotes come to; once all are withdrawn, in any order, what it cost before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000_000 }), { minLength: 1, maxLength: 6 }),
        fc.option(fc.nat(2_000_000)),
        fc.infiniteStream(fc.nat()),
        (subtotals, priceBeforeCents, picks) => {
          let price = priceBeforeCents
          let accepted: { subtotalCents: number; priceBeforeCents: number | null }[] = []
          for (const subtotalCents of subtotals) {
            price = priceWith({ subtotalCents }, accepted)
            accepted.push({ subtotalCents, priceBeforeCents })
          }
          expect(price).toBe(subtotals.reduce((sum, cents) => sum + cents, 0))
          while (accepted.length > 0) {
            const gone = accepted[(picks.next().value as number) % accepted.length]!
            accepted = accepted.filter((other) => other !== gone)
            price = priceWithout(price, gone, accepted)
          }
          expect(price).toBe(priceBeforeCents)
        },
      ),
    )
  })

  it('a price that was typed since stays', () => {
    expect(priceWithout(777, { subtotalCents: 500, priceBeforeCents: 100 }, [])).toBe(777)
  })
})
