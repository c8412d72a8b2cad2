import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysLater } from '../../shared/zoned-time.ts'
import { ageingOf, ageOf, ages, byUrgency, type Charge, creditOf, daysLate, isDueBeforeSurgery, portionsOf, spread } from './rules.ts'

const charge = (given: Partial<Charge> = {}): Charge => ({
  id: 'a',
  amountCents: 100_000,
  dueOn: '2026-11-01',
  isBeforeSurgery: false,
  surgeryDay: null,
  plan: [],
  creditedCents: 0,
  ...given,
})
const plan = [
  { dueOn: '2026-12-01', amountCents: 30_000 },
  { dueOn: '2026-10-01', amountCents: 40_000 },
  { dueOn: '2027-01-01', amountCents: 30_000 },
]

describe('open portions of a charge', () => {
  it('are the full amount on its due date, or the instalments not yet covered by payments', () => {
    expect(portionsOf(charge())).toMatchObject([{ dueOn: '2026-11-01', openCents: 100_000 }])
    expect(portionsOf(charge({ plan, creditedCents: 50_000 })).map(({ dueOn, openCents }) => [dueOn, openCents])).toEqual([
      ['2026-12-01', 20_000],
      ['2027-01-01', 30_000],
    ])
    expect(portionsOf(charge({ plan, creditedCents: 100_000 }))).toEqual([])
  })
  it('sum to the unpaid amount under any plan', () => {
    const days = fc.integer({ min: 1, max: 28 }).map((day) => `2026-12-${String(day).padStart(2, '0')}`)
    const plans = fc.array(fc.record({ dueOn: days, amountCents: fc.integer({ min: 1, max: 90_000 }) }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(plans, fc.double({ min: 0, max: 1, noNaN: true }), (plan, share) => {
        const amountCents = plan.reduce((sum, part) => sum + part.amountCents, 0)
        const creditedCents = Math.round(amountCents * share)
        const portions = portionsOf(charge({ plan, amountCents, creditedCents }))
        expect(portions.reduce((sum, { openCents }) => sum + openCents, 0)).toBe(amountCents - creditedCents)
        expect(portions.every(({ openCents }, i) => openCents > 0 && portions[i]!.dueOn >= (portions[i - 1]?.dueOn ?? ''))).toBe(true)
      }),
    )
  })
})

describe('amounts due before surgery', () => {
  it.each([
    [true, '2026-12-14', '2026-12-15', true],
    [true, '2026-12-15', '2026-12-15', true],
    [true, '2026-12-16', '2026-12-15', false],
    [true, '2026-12-16', null, true],
    [false, '2026-12-14', '2026-12-15', false],
  ])('a charge with isBeforeSurgery %s, due on %s with the surgery on %s: %s', (isBeforeSurgery, dueOn, surgeryDay, expected) => {
    expect(isDueBeforeSurgery({ isBeforeSurgery, surgeryDay }, dueOn)).toBe(expected)
  })

  it('exclude instalments due after the surgery', () => {
    const portions = portionsOf(charge({ plan, isBeforeSurgery: true, surgeryDay: '2026-12-15' }))
    expect(portions.map(({ dueOn, isBeforeSurgery }) => [dueOn, isBeforeSurgery])).toEqual([
      ['2026-10-01', true],
      ['2026-12-01', true],
      ['2027-01-01', false],
    ])
  })
})

describe('ageing', () => {
  it.each([
    ['2026-12-24', 'current'],
    ['2026-11-22', 'current'],
    ['2026-11-21', 'days1to30'],
    ['2026-10-23', 'days1to30'],
    ['2026-10-22', 'days31to60'],
    ['2026-09-23', 'days31to60'],
    ['2026-09-22', 'days61to90'],
    ['2026-08-24', 'days61to90'],
    ['2026-08-23', 'over90'],
    ['2020-02-29', 'over90'],
  ] as const)('counts what was due on %s as %s on November 22', (dueOn, age) => {
    const none = { current: 0, days1to30: 0, days31to60: 0, days61to90: 0, over90: 0 }
    expect(ageingOf(portionsOf(charge({ dueOn })), '2026-11-22')).toEqual({ ...none, [age]: 100_000 })
  })
  it('moves up at most one bucket a day, never down, and loses no cent (every day of the year, DST included)', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 365 }), fc.nat(1_000_000), (offset, shift, openCents) => {
        const today = daysLater('2026-01-01', shift)
        const dueOn = daysLater(today, -offset)
        expect(daysLate(dueOn, today)).toBe(offset)
        const step = ages.indexOf(ageOf(dueOn, daysLater(today, 1))) - ages.indexOf(ageOf(dueOn, today))
        expect([0, 1]).toContain(step)
        const sums = ageingOf([{ chargeId: 'a', dueOn, openCents, isBeforeSurgery: false }], today)
        expect(Object.values(sums).reduce((sum, cents) => sum + cents, 0)).toBe(openCents)
      }),
    )
  })
})

describe('patient credit', () => {
  it.each([
    ['a sale of its own items', { isDeposit: false, isForCharge: false }, 0],
    ['a deposit', { isDeposit: true, isForCharge: false }, 28_250],
    ['the remainder of a payment for a charge', { isDeposit: false, isForCharge: true }, 28_250],
  ])('of %s', (_, receipt, cents) => {
    expect(creditOf({ ...receipt, leftCents: 28_250 })).toBe(cents)
  })
})

describe('payment allocation', () => {
  const charges = [
    charge({ id: 'late', dueOn: '2026-08-01' }),
    charge({ id: 'surgery', dueOn: '2026-12-20', isBeforeSurgery: true }),
    charge({ id: 'plan', plan }),
  ]
  const portions = charges.flatMap(portionsOf)
  it('covers amounts due before surgery first, then the oldest', () => {
    expect(portions.toSorted(byUrgency).map(({ chargeId }) => chargeId)).toEqual(['surgery', 'late', 'plan', 'plan', 'plan'])
    expect(spread(portions, 150_000)).toEqual([
      { chargeId: 'surgery', amountCents: 100_000 },
      { chargeId: 'late', amountCents: 50_000 },
    ])
  })
  it('never allocates more than the payment or the open amount', () => {
    fc.assert(
      fc.property(fc.nat(500_000), (cents) => {
        const parts = spread(portions, cents)
        expect(parts.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(Math.min(cents, 300_000))
        expect(parts.every(({ amountCents }) => amountCents > 0 && amountCents <= 100_000)).toBe(true)
      }),
    )
  })
})
