import { expect, it } from 'vitest'
import { byDay, stayBefore } from './days.ts'

it("groups by the practice's days, not by those of UTC", () => {
  const entries = ['2026-11-20T15:00:00Z', '2026-11-20T04:59:00Z', '2026-11-20T05:00:00Z', '2026-11-19T12:00:00Z']
    .toSorted()
    .toReversed()
    .map((date) => ({ date }))
  expect(byDay(entries, 'America/Toronto').map(({ day, entries }) => [day, entries.length])).toEqual([
    ['2026-11-20', 2],
    ['2026-11-19', 2],
  ])
  expect(byDay([], 'America/Toronto')).toEqual([])
})

it('finds how long a patient was in the stage before', () => {
  const history = [
    { fromStageId: null, toStageId: 'lead', changedAt: '2026-09-01T12:00:00Z' },
    { fromStageId: 'lead', toStageId: 'booked', changedAt: '2026-09-03T12:00:00Z' },
  ]
  expect(stayBefore({ date: '2026-09-03T12:00:00.040Z' }, 'booked', history)).toBe(2 * 86_400_000)
  expect(stayBefore({ date: '2026-09-01T12:00:00Z' }, 'lead', history)).toBeNull()
  expect(stayBefore({ date: '2026-09-04T12:00:00Z' }, 'booked', history)).toBeNull()
})
