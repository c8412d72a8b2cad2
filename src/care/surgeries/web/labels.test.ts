import { describe, expect, it } from 'vitest'
import type { SurgeryStatus } from '../rules.ts'
import { formatDaysToGo, formatDueDate, isUrgent, formatMissing, formatReadiness } from './labels.ts'

const missing = ['Consents signed', 'Medications reviewed, stop list given', 'Driver known', 'Balance paid'].map((words, at) => ({
  id: String(at),
  kind: 'other' as const,
  words,
  dueOn: '2026-12-01',
}))

describe('the text of missing items', () => {
  it.each([
    [3, 'Consents signed · Medications reviewed, stop list given · Driver known · Balance paid'],
    [2, 'Consents signed · Medications reviewed, stop list given · 2 more'],
    [1, 'Consents signed · 3 more'],
  ])('names at most %i items, and never ends with "1 more"', (maxShown, words) => {
    expect(formatMissing(missing, maxShown)).toBe(words)
  })

  it.each([
    ['confirmed', 0, 'Ready.'],
    ['confirmed', 1, 'Not cleared. Outstanding:'],
    ['tentative', 0, 'Not cleared: not confirmed.'],
    ['tentative', 1, 'Not cleared: not confirmed. Outstanding:'],
    ['postponed', 1, 'Not cleared: postponed. Outstanding:'],
    ['completed', 1, undefined],
    ['cancelled', 1, undefined],
  ] satisfies [SurgeryStatus, number, string | undefined][])('%s, %i missing: %s', (status, count, title) => {
    expect(formatReadiness({ status, missing: missing.slice(0, count) })?.title).toBe(title)
  })

  it('counts days', () => {
    expect([0, 1, -1, 9, -9].map(formatDaysToGo)).toEqual(['Today', 'Tomorrow', 'Yesterday', 'In 9 days', '9 days ago'])
    expect([0, -1, -14, 1, 7].map(formatDueDate)).toEqual(['On the day', '1 day before', '14 days before', '1 day after', '7 days after'])
  })
})

it('counts a planned case with missing items as urgent from a week before it', () => {
  const missing = [{ id: 'one', kind: 'labs' as const, words: 'Lab results reviewed', dueOn: '2026-11-20' }]
  const isAt = (daysToGo: number) => isUrgent({ status: 'confirmed', daysToGo, missing })
  expect([-1, 0, 7, 8].map(isAt)).toEqual([false, true, true, false])
  expect(isUrgent({ status: 'confirmed', daysToGo: 1, missing: [] })).toBe(false)
  expect(isUrgent({ status: 'completed', daysToGo: 0, missing })).toBe(false)
})
