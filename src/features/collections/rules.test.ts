import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ageingOf, byUrgency, type Charge, portionsOf, spread } from './rules.ts'

const charge = (given: Partial<Charge> = {}): Charge => ({
  id: 'a',
  amountCents: 100_000,
  dueOn: '2026-11-01',
  isBeforeSurgery: false,
  plan: [],
  creditedCents: 0,
  ...given,
})
const plan = [
  { dueOn: '2026-12-01', amountCents: 30_000 },
  { dueOn: '2026-10-01', amountCents: 40_000 },
  { dueOn: '2027-01-01', amountCents: 30_000 },
]

describe('what is open of a charge', () => {
  it('is all of it on its day; with a plan, its instalments, of which payments cover the earliest', () => {
    expect(portionsOf(charge())).toMatchObject([{ dueOn: '2026-11-01', openCents: 100_000 }])
    expect(portionsOf(charge({ plan, creditedCents: 50_000 })).map(({ dueOn, openCents }) => [dueOn, openCents])).toEqual([
      ['2026-12-01', 20_000],
      ['2027-01-01', 30_000],
    ])
    expect(portionsOf(charge({ plan, creditedCents: 100_000 }))).toEqual([])
  })
  it('sums to what is not paid, whatever the plan', () => {
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

describe('how late it is', () => {
  it.each([
    ['2026-12-24', 'current'],
    ['2026-11-22', 'current'],
    ['2026-10-24', 'current'],
    ['2026-10-23', 'days30'],
    ['2026-09-24', 'days30'],
    ['2026-09-23', 'days60'],
    ['2026-08-25', 'days60'],
    ['2026-08-24', 'days90'],
    ['2020-02-29', 'days90'],
  ] as const)('what was due on %s is %s on November 22', (dueOn, age) => {
    const none = { current: 0, days30: 0, days60: 0, days90: 0 }
    expect(ageingOf(portionsOf(charge({ dueOn })), '2026-11-22')).toEqual({ ...none, [age]: 100_000 })
  })
})

describe('a payment', () => {
  const charges = [
    charge({ id: 'late', dueOn: '2026-08-01' }),
    charge({ id: 'surgery', dueOn: '2026-12-20', isBeforeSurgery: true }),
    charge({ id: 'plan', plan }),
  ]
  const portions = charges.flatMap(portionsOf)
  it('goes to what is due before a surgery, then to what is due the longest', () => {
    expect(portions.toSorted(byUrgency).map(({ chargeId }) => chargeId)).toEqual(['surgery', 'late', 'plan', 'plan', 'plan'])
    expect(spread(portions, 150_000)).toEqual([
      { chargeId: 'surgery', amountCents: 100_000 },
      { chargeId: 'late', amountCents: 50_000 },
    ])
  })
  it('never takes more than there is, nor than is open', () => {
    fc.assert(
      fc.property(fc.nat(500_000), (cents) => {
        const parts = spread(portions, cents)
        expect(parts.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(Math.min(cents, 300_000))
        expect(parts.every(({ amountCents }) => amountCents > 0 && amountCents <= 100_000)).toBe(true)
      }),
    )
  })
})
