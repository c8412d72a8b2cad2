import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enteredAt, formatStageTimeShort, formatStageTime, stageVisits, timeInStages } from './stage-time.ts'

const start = Date.parse('2026-09-14T12:00:00Z')
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const move = (fromStageId: string | null, toStageId: string, after: number) => ({
  fromStageId,
  toStageId,
  changedAt: new Date(start + after).toISOString(),
})

describe('timeInStages', () => {
  it('measures from each move to the next, and from the last one until now', () => {
    const times = timeInStages([move(null, 'lead', 0), move('lead', 'contacted', 2 * hour)], start + 64 * day)
    expect(times.get('lead')).toBe(2 * hour)
    expect(times.get('contacted')).toBe(64 * day - 2 * hour)
  })
  it('adds up repeated visits', () => {
    const times = timeInStages([move(null, 'a', 0), move('a', 'b', day), move('b', 'a', 3 * day)], start + 7 * day)
    expect(times.get('a')).toBe(5 * day)
    expect(times.get('b')).toBe(2 * day)
  })
  it('ignores a move that was undone at once', () => {
    const times = timeInStages([move(null, 'a', 0), move('a', 'b', day), move('b', 'a', day + 9000)], start + 3 * day)
    expect(times.get('a')).toBe(3 * day)
    expect(times.has('b')).toBe(false)
  })
  it('is empty without a history', () => {
    expect(timeInStages([], start).size).toBe(0)
  })
})

describe('enteredAt', () => {
  const entered = new Date(start + 9 * day).toISOString()

  it('is the last move that was not accidental', () => {
    const history = [move(null, 'a', 0), move('a', 'b', day), move('b', 'a', day + 5000)]
    expect(enteredAt(history, { stageId: 'a', enteredAt: entered })).toBe(start)
  })
  it('falls back to the contact record if the moves are missing or lead elsewhere, as after a merge', () => {
    expect(enteredAt([move(null, 'a', 0)], { stageId: 'b', enteredAt: entered })).toBe(start + 9 * day)
    expect(enteredAt([], { stageId: 'b', enteredAt: entered })).toBe(start + 9 * day)
  })
})

it('formats a duration in words and in short form', () => {
  const durations = [999, minute, 5 * hour, day, 64 * day, 130 * day, 800 * day]
  expect(durations.map(formatStageTime)).toEqual(['less than a minute', '1 minute', '5 hours', '1 day', '64 days', '4 months', '2 years'])
  expect(durations.map(formatStageTimeShort)).toEqual(['< 1 min', '1 min', '5 h', '1 d', '64 d', '4 mo', '2 y'])
})

describe('stageVisits', () => {
  it('lists each visit with its author and length, the current one first', () => {
    const history = [
      { ...move(null, 'lead', 0), changedBy: null, lostReason: null },
      { ...move('lead', 'cold', 2 * hour), changedBy: 'mireille', lostReason: 'Price' },
    ]
    expect(stageVisits(history, start + day)).toEqual([
      { stageId: 'cold', since: start + 2 * hour, until: null, length: 22 * hour, by: 'mireille', reason: 'Price' },
      { stageId: 'lead', since: start, until: start + 2 * hour, length: 2 * hour, by: null, reason: null },
    ])
  })
  it('covers the time from the first move until now without gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000 * day), { minLength: 1 }), (times) => {
        const history = times
          .toSorted((a, b) => a - b)
          .map((at, i) => ({ ...move(null, `stage ${i}`, at), changedBy: null, lostReason: null }))
        const now = start + 2000 * day
        const total = stageVisits(history, now).reduce((sum, { length }) => sum + length, 0)
        expect(total).toBe(now - Date.parse(history[0]!.changedAt))
      }),
    )
  })
})
