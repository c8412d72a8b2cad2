import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divideHalfUp } from '../../shared/money.ts'
import { totalsOf } from '../pos/rules.ts'
import {
  discountLabel,
  dueParts,
  instalmentLabels,
  netAmounts,
  noDiscount,
  planSumsTo,
  priceWith,
  priceWithout,
  quoteTotals,
  refusalOfAcceptance,
  shownStatus,
  timingLabel,
} from './rules.ts'

const line = fc.record({
  unitPrice: fc.nat(5_000_000),
  quantity: fc.integer({ min: 1, max: 40 }),
  taxCodeId: fc.constantFrom('hst', 'gst', 'qst', 'none'),
  rate: fc.constantFrom(130_000, 50_000, 99_750, 0),
})
const day = fc
  .date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2028-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe('quote totals', () => {
  it('match a receipt of the same lines to the cent: each line’s tax is rounded half up once', () => {
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

describe('quote discount', () => {
  const rates: Record<string, number> = { hst: 130_000, gst: 50_000, qst: 99_750, none: 0 }
  const cart = fc.array(
    line.map((one) => ({ ...one, rate: rates[one.taxCodeId]! })),
    { minLength: 1, maxLength: 50 },
  )
  /** A percentage, or an amount below, at or above the subtotal. */
  const discount = fc.oneof(
    fc.integer({ min: 1, max: 10_000 }).map((discountPercent) => ({ discountPercent, discountCents: 0 })),
    fc.nat(40_000_000).map((discountCents) => ({ discountPercent: null, discountCents })),
  )
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)

  it('applies before tax and splits by tax code without losing a cent', () => {
    fc.assert(
      fc.property(cart, discount, (lines, given) => {
        const totals = quoteTotals(lines, given)
        const full = quoteTotals(lines)
        expect(totals.subtotal).toBe(full.subtotal)
        expect(totals.discount).toBe(
          given.discountPercent === null
            ? Math.min(given.discountCents, full.subtotal)
            : divideHalfUp(BigInt(full.subtotal) * BigInt(given.discountPercent), 10_000n),
        )
        expect(totals.taxable).toBe(totals.subtotal - totals.discount)
        expect(sum(totals.taxes.map(({ base }) => base))).toBe(totals.taxable)
        expect(sum(totals.taxes.map(({ tax }) => tax))).toBe(totals.tax)
        expect(sum(totals.lines.map(({ tax }) => tax))).toBe(totals.tax)
        expect(totals.total).toBe(totals.taxable + totals.tax)
        expect(totals.lines.map(({ amount }) => amount)).toEqual(full.lines.map(({ amount }) => amount))
        for (const { base, tax, rate, taxCodeId } of totals.taxes) {
          const count = lines.filter((one) => one.taxCodeId === taxCodeId).length
          expect(base).toBeGreaterThanOrEqual(0)
          // Each line is rounded once, by less than a cent.
          expect(Math.abs(tax - (base * rate) / 1_000_000)).toBeLessThanOrEqual(count + 1)
        }
        expect(totals.tax).toBeLessThanOrEqual(full.tax)
      }),
    )
  })

  it('as an amount, matches a receipt of the reduced lines', () => {
    fc.assert(
      fc.property(cart, fc.nat(40_000_000), (lines, discountCents) => {
        const quoted = quoteTotals(lines, { discountPercent: null, discountCents })
        const left = netAmounts(
          quoted.lines.map(({ amount }) => amount),
          quoted.discount,
        )
        const sold = totalsOf(
          lines.map((one, index) => ({ ...one, unitPrice: left[index]!, quantity: 1 })),
          0,
        )
        expect([sold.subtotal, sold.tax, sold.total]).toEqual([quoted.taxable, quoted.tax, quoted.total])
        // No line is reduced by more than it costs.
        for (const [index, { amount }] of quoted.lines.entries()) expect(left[index]).toBeLessThanOrEqual(amount)
      }),
    )
  })

  it.each([
    ['10 percent', { discountPercent: 1_000, discountCents: 0 }, [100_00, 90_00, 11_70, 101_70]],
    ['an amount', { discountPercent: null, discountCents: 33_33 }, [100_00, 66_67, 8_67, 75_34]],
    ['all of it', { discountPercent: 10_000, discountCents: 0 }, [100_00, 0, 0, 0]],
    ['more than all of it', { discountPercent: null, discountCents: 100_01 }, [100_00, 0, 0, 0]],
    ['nothing', noDiscount, [100_00, 100_00, 13_00, 113_00]],
  ])('%s of $100.00 with HST', (_, given, expected) => {
    const { subtotal, taxable, tax, total } = quoteTotals(
      [
        { unitPrice: 33_33, quantity: 2, taxCodeId: 'hst', rate: 130_000 },
        { unitPrice: 33_34, quantity: 1, taxCodeId: 'hst', rate: 130_000 },
      ],
      given,
    )
    expect([subtotal, taxable, tax, total]).toEqual(expected)
  })

  it('has its percentage in its label', () => {
    expect(discountLabel({ discountPercent: 1_250 })).toBe('Discount, 12.5%')
    expect(discountLabel({ discountPercent: null })).toBe('Discount')
  })
})

describe('deposit and instalments', () => {
  it('sum to the total, are never due before acceptance, and merge to one per day, earliest first', () => {
    const plan = fc.record({
      depositCents: fc.nat(5_000_000),
      instalments: fc.array(fc.record({ dueOn: day, amountCents: fc.integer({ min: 1, max: 900_000 }) }), { maxLength: 60 }),
    })
    fc.assert(
      fc.property(plan, day, (given, acceptedOn) => {
        const total = given.depositCents + given.instalments.reduce((sum, { amountCents }) => sum + amountCents, 0)
        expect(planSumsTo(given, total)).toBe(true)
        expect(planSumsTo(given, total + 1)).toBe(false)
        const parts = dueParts(given, acceptedOn)
        expect(parts.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(total)
        const days = parts.map(({ dueOn }) => dueOn)
        expect(days).toEqual([...new Set(days)].toSorted())
        expect(days.every((dueOn) => dueOn >= acceptedOn)).toBe(true)
      }),
    )
  })
})

describe('quote status', () => {
  it('allows acceptance through the last valid day, and is expired from the next', () => {
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

  it('prices a case at its accepted quotes, and restores the earlier price once all are withdrawn in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000_000 }), { minLength: 1, maxLength: 6 }),
        fc.option(fc.nat(2_000_000)),
        fc.infiniteStream(fc.nat()),
        (subtotals, priceBeforeCents, picks) => {
          let price = priceBeforeCents
          let accepted: { subtotalCents: number; discountCents: number; priceBeforeCents: number | null }[] = []
          for (const cents of subtotals) {
            // A discount is not revenue.
            const one = { subtotalCents: cents + (cents % 7), discountCents: cents % 7 }
            price = priceWith(one, accepted)
            accepted.push({ ...one, priceBeforeCents })
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

  it('keeps a price that was entered since', () => {
    expect(priceWithout(777, { subtotalCents: 500, discountCents: 0, priceBeforeCents: 100 }, [])).toBe(777)
  })
})

describe('payment names', () => {
  it.each([
    ['2026-12-16', '2026-12-17', 'before surgery'],
    ['2026-12-17', '2026-12-17', 'on the day of surgery'],
    ['2026-12-18', '2026-12-17', 'after surgery'],
    ['2027-01-01', '2026-12-31', 'after surgery'],
    ['2026-12-18', null, null],
  ])('a payment due on %s with the surgery on %s is due %s', (dueOn, surgeryDay, label) => {
    expect(timingLabel(dueOn, surgeryDay)).toBe(label)
  })

  it('never label an instalment due after the surgery as before surgery', () => {
    fc.assert(
      fc.property(fc.array(day, { minLength: 1, maxLength: 12 }), day, fc.nat(1), (days, surgeryDay, depositCents) => {
        const instalments = days.map((dueOn) => ({ dueOn, amountCents: 1 }))
        const labels = instalmentLabels({ depositCents, instalments }, surgeryDay)
        for (const [index, dueOn] of days.entries()) {
          expect(labels[index]!.includes('before surgery')).toBe(dueOn < surgeryDay)
          expect(labels[index]!.includes('after surgery')).toBe(dueOn > surgeryDay)
        }
      }),
    )
  })

  it('number instalments, and call a single one the balance, or the full payment without a deposit', () => {
    const one = [{ dueOn: '2026-12-10', amountCents: 1 }]
    expect(instalmentLabels({ depositCents: 1, instalments: one }, '2026-12-17')).toEqual(['Balance, before surgery'])
    expect(instalmentLabels({ depositCents: 0, instalments: one }, null)).toEqual(['Full payment'])
    const named = [
      { ...one[0]!, name: 'Facility fee' },
      { ...one[0]!, name: null },
    ]
    expect(instalmentLabels({ depositCents: 1, instalments: named }, '2026-12-17')).toEqual([
      'Facility fee, before surgery',
      'Instalment 2 of 2, before surgery',
    ])
    expect(instalmentLabels({ depositCents: 0, instalments: [...one, ...one] }, null)).toEqual(['Instalment 1 of 2', 'Instalment 2 of 2'])
  })
})
