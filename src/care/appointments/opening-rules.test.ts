import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { instantOf } from '../../shared/zoned-time.ts'
import { freeStarts, minuteOf, openingsOf, spanOn, timeOf } from './opening-rules.ts'

const timeZone = 'America/Toronto'
const open = { from: minuteOf('08:30'), to: minuteOf('16:30') }
const at = (day: string, time: string) => instantOf({ day, time }, timeZone)

describe('free times on a day', () => {
  it('clips a period to the day', () => {
    const over = { startsAt: '2026-11-27T04:30:00.000Z', endsAt: '2026-11-27T05:30:00.000Z' }
    expect(spanOn('2026-11-26', over, timeZone)).toEqual({ from: minuteOf('23:30'), to: 1440 })
    expect(spanOn('2026-11-27', over, timeZone)).toEqual({ from: 0, to: 30 })
  })

  it('offers starts that are free for the whole duration within opening hours', () => {
    const taken = [
      { from: minuteOf('09:00'), to: minuteOf('10:00') },
      { from: minuteOf('10:20'), to: minuteOf('16:00') },
    ]
    const startsFor = (minutes: number, from = 0) => freeStarts({ taken, open, minutes, from, limit: 6 }).map(timeOf)
    expect(startsFor(30)).toEqual(['08:30', '16:00'])
    expect(startsFor(20)).toEqual(['08:30', '10:00', '16:00'])
    expect(startsFor(30, minuteOf('08:31'))).toEqual(['16:00'])
    expect(startsFor(45)).toEqual([])
    expect(freeStarts({ taken: [], open, minutes: 45, from: minuteOf('09:05'), limit: 2 }).map(timeOf)).toEqual(['09:15', '09:30'])
  })
})

describe('openings by day', () => {
  // Tuesday to Thursday, mornings.
  const hours = [2, 3, 4].map((weekday) => ({ weekday, opens: '08:30', closes: '10:30' }))
  const wanted = { from: '2026-11-23', days: 4, minutes: 45, hours, taken: [], now: at('2026-11-24', '09:05'), timeZone }

  it('lists every time that fits from now on, and none on closed days', () => {
    expect(openingsOf(wanted)).toEqual([
      { day: '2026-11-23', isClosed: true, times: [] },
      { day: '2026-11-24', isClosed: false, times: ['09:15', '09:30', '09:45'] },
      { day: '2026-11-25', isClosed: false, times: ['08:30', '08:45', '09:00', '09:15', '09:30', '09:45'] },
      { day: '2026-11-26', isClosed: false, times: ['08:30', '08:45', '09:00', '09:15', '09:30', '09:45'] },
    ])
  })

  it('leaves out booked times, also across midnight', () => {
    const taken = [{ startsAt: at('2026-11-24', '22:00'), endsAt: at('2026-11-25', '09:10') }]
    expect(openingsOf({ ...wanted, taken })[2]!.times).toEqual(['09:15', '09:30', '09:45'])
  })

  it('never overlaps a booked time', () => {
    const period = fc.tuple(fc.nat(4 * 1440), fc.integer({ min: 5, max: 600 })).map(([begin, minutes]) => {
      const startsAt = new Date(at('2026-11-23', '00:00').getTime() + begin * 60_000)
      return { startsAt, endsAt: new Date(startsAt.getTime() + minutes * 60_000) }
    })
    fc.assert(
      fc.property(fc.array(period, { maxLength: 8 }), fc.integer({ min: 5, max: 120 }), (taken, minutes) => {
        for (const { day, times } of openingsOf({ ...wanted, taken, minutes }))
          for (const time of times) {
            const [begin, end] = [at(day, time).getTime(), at(day, time).getTime() + minutes * 60_000]
            expect(taken.some(({ startsAt, endsAt }) => startsAt.getTime() < end && endsAt.getTime() > begin)).toBe(false)
          }
      }),
    )
  })
})
