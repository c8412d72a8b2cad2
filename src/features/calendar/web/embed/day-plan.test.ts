import { describe, expect, it } from 'vitest'
import { freeStarts, minuteOf, spanOn, timeOf } from './day-plan.ts'

const timeZone = 'America/Toronto'
const open = { from: minuteOf('08:30'), to: minuteOf('16:30') }

describe('issue 8: what else is there on a day', () => {
  it('takes up its part of the day', () => {
    const over = { startsAt: '2026-11-27T04:30:00.000Z', endsAt: '2026-11-27T05:30:00.000Z' }
    expect(spanOn('2026-11-26', over, timeZone)).toEqual({ from: minuteOf('23:30'), to: 1440 })
    expect(spanOn('2026-11-27', over, timeZone)).toEqual({ from: 0, to: 30 })
  })

  it('proposes the next times that are free for the whole length, within the hours', () => {
    const taken = [
      { from: minuteOf('09:00'), to: minuteOf('10:00') },
      { from: minuteOf('10:20'), to: minuteOf('16:00') },
    ]
    const proposed = (minutes: number, from = 0) => freeStarts({ taken, open, minutes, from, most: 6 }).map(timeOf)
    expect(proposed(30)).toEqual(['08:30', '16:00'])
    expect(proposed(20)).toEqual(['08:30', '10:00', '16:00'])
    expect(proposed(30, minuteOf('08:31'))).toEqual(['16:00'])
    expect(proposed(45)).toEqual([])
    expect(freeStarts({ taken: [], open, minutes: 45, from: minuteOf('09:05'), most: 2 }).map(timeOf)).toEqual(['09:15', '09:30'])
  })
})
