import { expect, it } from 'vitest'
import { groupByDay, previousStageDuration } from './days.ts'

it("groups entries by day in the practice's time zone, not in UTC", () => {
  const entries = ['2026-11-20T15:00:00Z', '2026-11-20T04:59:00Z', '2026-11-20T05:00:00Z', '2026-11-19T12:00:00Z']
    .toSorted()
    .toReversed()
    .map((date) => ({ date }))
  expect(groupByDay(entries, 'America/Toronto').map(({ day, entries }) => [day, entries.length])).toEqual([
    ['2026-11-20', 2],
    ['2026-11-19', 2],
  ])
  expect(groupByDay([], 'America/Toronto')).toEqual([])
})

it('calculates how long a patient was in the previous stage', () => {
  const history = [
    { fromStageId: null, toStageId: 'lead', changedAt: '2026-09-01T12:00:00Z' },
    { fromStageId: 'lead', toStageId: 'booked', changedAt: '2026-09-03T12:00:00Z' },
  ]
  expect(previousStageDuration({ date: '2026-09-03T12:00:00.040Z' }, 'booked', history)).toBe(2 * 86_400_000)
  expect(previousStageDuration({ date: '2026-09-01T12:00:00Z' }, 'lead', history)).toBeNull()
  expect(previousStageDuration({ date: '2026-09-04T12:00:00Z' }, 'booked', history)).toBeNull()
})
