import { describe, expect, it } from 'vitest'
import { momentsFrom } from './moments.ts'

const timeZone = 'America/Toronto'

describe('the times that are offered for a snooze', () => {
  it.each([
    // A Wednesday morning and evening, a Sunday, and a Monday, in Toronto.
    [
      '2026-11-25T15:00:00Z',
      [
        'Later today 2026-11-25T22:00',
        'Tomorrow morning 2026-11-26T14:00',
        'Monday morning 2026-11-30T14:00',
        'In a week 2026-12-02T14:00',
      ],
    ],
    ['2026-11-25T23:00:00Z', ['Tomorrow morning 2026-11-26T14:00', 'Monday morning 2026-11-30T14:00', 'In a week 2026-12-02T14:00']],
    ['2026-11-29T23:00:00Z', ['Tomorrow morning 2026-11-30T14:00', 'In a week 2026-12-06T14:00']],
    ['2026-11-30T23:00:00Z', ['Tomorrow morning 2026-12-01T14:00', 'In a week 2026-12-07T14:00']],
    // The clocks go back on November 1.
    ['2026-10-31T23:00:00Z', ['Tomorrow morning 2026-11-01T14:00', 'Monday morning 2026-11-02T14:00', 'In a week 2026-11-07T14:00']],
  ])('are in the practice’s zone, at %s (issue 28)', (now, expected) => {
    expect(momentsFrom({ now, timeZone }).map(({ label, at }) => `${label} ${at.slice(0, 16)}`)).toEqual(expected)
  })
})
