import { describe, expect, it } from 'vitest'
import { freeStarts, minuteOf, spanOn, timeOf } from './opening-rules.ts'

const timeZone = 'America/Toronto'
const open = { from: minuteOf('08:30'), to: minuteOf('16:30') }

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
