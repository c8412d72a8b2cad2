import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayAt, daysLater, monthsLater } from '../../shared/zoned-time.ts'
import { basisMonths, expiryOf, isCommercialCategory, isLive, isWithdrawn, liveBasis } from './rules.ts'

const zone = 'America/Toronto'
const zones = ['America/Toronto', 'America/St_Johns', 'Europe/London', 'Pacific/Auckland', 'America/Sao_Paulo', 'UTC']

describe('expiry of consent', () => {
  it('is 6 months after an inquiry, 2 years after a purchase, and never for express consent', () => {
    const given = new Date('2026-01-15T20:30:00Z')
    expect(expiryOf('inquiry', given, zone)?.toISOString()).toBe('2026-07-16T04:00:00.000Z')
    expect(expiryOf('purchase', given, zone)?.toISOString()).toBe('2028-01-16T05:00:00.000Z')
    expect(expiryOf('express', given, zone)).toBeNull()
  })

  it('falls on the last day of a month that is too short', () => {
    expect(expiryOf('inquiry', new Date('2026-08-31T12:00:00Z'), zone)?.toISOString()).toBe('2027-03-01T05:00:00.000Z')
    expect(expiryOf('purchase', new Date('2028-02-29T12:00:00Z'), zone)?.toISOString()).toBe('2030-03-01T05:00:00.000Z')
  })

  it('uses the calendar day in the practice’s time zone', () => {
    expect(expiryOf('inquiry', new Date('2026-02-01T03:30:00Z'), zone)?.toISOString()).toBe('2026-08-01T04:00:00.000Z')
  })

  it('is at the end of the day the given number of months later, across month ends and clock changes', () => {
    const instant = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2045, 0, 1) }).map((time) => new Date(time))
    fc.assert(
      fc.property(
        instant,
        fc.constantFrom('inquiry' as const, 'purchase' as const),
        fc.constantFrom(...zones),
        (givenAt, basis, timeZone) => {
          const end = expiryOf(basis, givenAt, timeZone)!
          const last = monthsLater(dayAt(givenAt, timeZone), basisMonths[basis]!)
          expect(dayAt(new Date(end.getTime() - 1), timeZone)).toBe(last)
          expect(dayAt(end, timeZone)).toBe(daysLater(last, 1))
          const entry = { basis, givenAt, expiresAt: end, withdrawnAt: null }
          expect(isLive(entry, givenAt)).toBe(true)
          expect(isLive(entry, new Date(end.getTime() - 1))).toBe(true)
          expect(isLive(entry, end)).toBe(false)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('is never earlier for consent given later', () => {
    const time = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2045, 0, 1) })
    fc.assert(
      fc.property(time, time, fc.constantFrom(...zones), (a, b, timeZone) => {
        const [earlier, later] = [Math.min(a, b), Math.max(a, b)].map((at) => expiryOf('inquiry', new Date(at), timeZone)!)
        expect(earlier! <= later!).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('current consent', () => {
  const at = new Date('2026-11-22T12:00:00Z')
  const entry = (given: object) => ({
    basis: 'inquiry' as const,
    givenAt: new Date('2026-11-01'),
    expiresAt: null,
    withdrawnAt: null,
    ...given,
  })

  it('is the entry that lasts longest, ignoring expired, withdrawn and future ones', () => {
    const [short, long] = [entry({ expiresAt: new Date('2026-12-01') }), entry({ expiresAt: new Date('2027-12-01') })]
    const express = entry({ basis: 'express' })
    expect(liveBasis([short, long], at)).toBe(long)
    expect(liveBasis([long, express, short], at)).toBe(express)
    const withdrawn = entry({ basis: 'express', withdrawnAt: at })
    expect(liveBasis([withdrawn, entry({ expiresAt: at }), entry({ givenAt: new Date('2026-11-23') })], at)).toBeNull()
    expect(liveBasis([], at)).toBeNull()
  })

  it('counts only express consent given after a withdrawal', () => {
    const withdrawnAt = new Date('2026-11-10')
    const ended = entry({ withdrawnAt, withdrawalSource: 'link' })
    const implied = entry({ givenAt: new Date('2026-11-15'), basis: 'purchase' })
    const [older, newer] = ['2026-11-05', '2026-11-16'].map((day) => entry({ basis: 'express', givenAt: new Date(day) }))
    expect(liveBasis([ended, implied, older!], at)).toBeNull()
    expect(liveBasis([ended, implied, newer!], at)).toBe(newer)
    expect([isWithdrawn([ended, implied], at), isWithdrawn([ended, newer!], at), isWithdrawn([implied], at)]).toEqual([true, false, false])
    const byMerge = { ...ended, withdrawalSource: 'merge' as const }
    expect(liveBasis([byMerge, implied], at)).toBe(implied)
  })

  it('is required for templates in the Marketing category only', () => {
    expect([' Marketing', 'marketing', 'lead', ''].map(isCommercialCategory)).toEqual([true, true, false, false])
  })
})
