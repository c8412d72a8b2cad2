import { describe, expect, it } from 'vitest'
import { ontarioHolidays, readClosedDays, withDays } from './holiday-rules.ts'

describe('public holidays of Ontario', () => {
  it.each([
    [2024, ['2024-01-01', '2024-02-19', '2024-03-29', '2024-05-20', '2024-07-01', '2024-09-02', '2024-10-14', '2024-12-25', '2024-12-26']],
    [2025, ['2025-01-01', '2025-02-17', '2025-04-18', '2025-05-19', '2025-07-01', '2025-09-01', '2025-10-13', '2025-12-25', '2025-12-26']],
    [2026, ['2026-01-01', '2026-02-16', '2026-04-03', '2026-05-18', '2026-07-01', '2026-09-07', '2026-10-12', '2026-12-25', '2026-12-26']],
    [2027, ['2027-01-01', '2027-02-15', '2027-03-26', '2027-05-24', '2027-07-01', '2027-09-06', '2027-10-11', '2027-12-25', '2027-12-26']],
    [2038, ['2038-01-01', '2038-02-15', '2038-04-23', '2038-05-24', '2038-07-01', '2038-09-06', '2038-10-11', '2038-12-25', '2038-12-26']],
  ])('of %i are nine days in order (issue 28)', (year, days) => expect(ontarioHolidays(year).map(({ day }) => day)).toEqual(days))
})

describe('pasted closed days', () => {
  it.each([
    ['2026-12-24 Christmas Eve', [{ day: '2026-12-24', name: 'Christmas Eve' }]],
    [
      '2026-12-24\tChristmas Eve\r\n\r\n2026-12-31, New Year’s Eve\n',
      [
        { day: '2026-12-24', name: 'Christmas Eve' },
        { day: '2026-12-31', name: 'New Year’s Eve' },
      ],
    ],
    ['2026-08-03', [{ day: '2026-08-03', name: 'Closed' }]],
    ['', []],
  ])('%j are read (issue 28)', (text, days) => expect(readClosedDays(text)).toEqual({ days }))

  it.each(['24 December', '2026-02-30 Never', '2026-13-01', 'x'.repeat(80)])(
    'with a line “%s” are refused, naming the line (issue 28)',
    (line) => expect(readClosedDays(`2026-12-24 Eve\n${line}`)).toEqual({ wrong: line.slice(0, 60) }),
  )

  it('are added by day, and keep the name that a day has (issue 28)', () => {
    const known = [{ day: '2026-12-25', name: 'Christmas' }]
    const added = [
      { day: '2026-12-25', name: 'Christmas Day' },
      { day: '2026-12-24', name: 'Eve' },
    ]
    expect(withDays(known, added)).toEqual([
      { day: '2026-12-24', name: 'Eve' },
      { day: '2026-12-25', name: 'Christmas' },
    ])
  })
})
