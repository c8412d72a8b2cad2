import { describe, expect, test } from 'vitest'
import * as f from './format.ts'

const timeZone = 'America/Toronto'
// Friday, Nov 20, 2026, 12:31 p.m. in Toronto
const clock = { now: '2026-11-20T17:31:00Z', timeZone }

describe("time in the practice's time zone", () => {
  test('dates and times', () => {
    expect(f.formatDate('2026-11-20T17:31:00Z', timeZone)).toBe('Nov 20, 2026')
    expect(f.formatMonth('2026-12-01T03:00:00Z', timeZone)).toBe('November 2026')
    expect(f.formatDateTime('2026-11-26T15:15:00Z', clock)).toBe('Thu, Nov 26, 10:15 a.m.')
    expect(f.formatDateTime('2025-11-26T15:15:00Z', clock)).toBe('Wed, Nov 26, 2025, 10:15 a.m.')
    expect(f.formatTime('2026-11-20T17:00:00Z', timeZone)).toBe('12:00 p.m.')
    expect(f.formatTime('2026-11-20T05:05:00Z', timeZone)).toBe('12:05 a.m.')
    expect(f.formatTimeOfDay('14:30')).toBe('2:30 p.m.')
    expect(f.formatShortDate('2026-11-18T17:00:00Z', clock)).toBe('Nov 18')
    expect(f.formatShortDate('2025-06-01T17:00:00Z', clock)).toBe('Jun 1, 2025')
  })

  test('keeps a calendar day in every time zone', () => {
    expect(f.formatDay('2026-11-20')).toBe('Nov 20, 2026')
    expect(f.formatDay('2026-03-08')).toBe('Mar 8, 2026')
  })

  test("uses Toronto's day, not UTC's, for today, tomorrow and yesterday", () => {
    expect(f.formatDue('2026-11-20T19:30:00Z', clock)).toBe('Today, 2:30 p.m.')
    // Already Nov 21 in UTC, still Nov 20 in Toronto.
    expect(f.formatDue('2026-11-21T04:30:00Z', clock)).toBe('Today, 11:30 p.m.')
    expect(f.formatDue('2026-11-21T14:00:00Z', clock)).toBe('Tomorrow, 9:00 a.m.')
    expect(f.formatDue('2026-11-20T04:30:00Z', clock)).toBe('Yesterday, 11:30 p.m.')
    expect(f.formatDue('2026-11-24T14:00:00Z', clock)).toBe('Nov 24')
    expect(f.today({ now: '2026-11-21T03:00:00Z', timeZone })).toBe('2026-11-20')
  })

  test('across the end of daylight saving time', () => {
    // Clocks went back on Nov 1, 2026: there are 25 hours between these two midnights, but one calendar day.
    const after = { now: '2026-11-02T05:30:00Z', timeZone }
    expect(f.daysBetween('2026-11-01T04:30:00Z', after)).toBe(1)
    expect(f.formatTime('2026-11-01T05:30:00Z', timeZone)).toBe('1:30 a.m.')
    expect(f.formatTime('2026-11-01T06:30:00Z', timeZone)).toBe('1:30 a.m.')
  })

  test('day headings', () => {
    expect(f.formatDayHeading('2026-11-20T14:18:00Z', clock)).toBe('Today')
    expect(f.formatDayHeading('2026-11-19T14:18:00Z', clock)).toBe('Yesterday')
    expect(f.formatDayHeading('2026-11-17T20:41:00Z', clock)).toBe('Tuesday, Nov 17')
    expect(f.formatDayHeading('2025-11-17T20:41:00Z', clock)).toBe('Monday, Nov 17, 2025')
  })

  test('relative times', () => {
    expect(f.formatAgo('2026-11-20T17:30:30Z', clock)).toBe('Just now')
    expect(f.formatAgo('2026-11-20T16:50:00Z', clock)).toBe('41 min ago')
    expect(f.formatAgo('2026-11-20T14:31:00Z', clock)).toBe('3 h ago')
    expect(f.formatAgo('2026-11-19T17:00:00Z', clock)).toBe('Yesterday')
    expect(f.formatAgo('2026-11-18T17:00:00Z', clock)).toBe('Nov 18')
    expect(f.formatAge('2026-11-20T16:50:00Z', clock)).toBe('41 min')
    expect(f.formatAge('2026-11-20T15:00:00Z', clock)).toBe('2 h')
    expect(f.formatAge('2026-11-15T15:00:00Z', clock)).toBe('5 d')
    expect(f.formatAge('2026-10-17T15:00:00Z', clock)).toBe('34 d')
    expect(f.formatAge('2026-09-20T15:00:00Z', clock)).toBe('2 mo')
    expect(f.formatAge('2024-09-20T15:00:00Z', clock)).toBe('2 y')
    expect(f.formatAge('2026-11-20T17:31:05Z', clock)).toBe('0 min')
    expect(f.formatLate('2026-11-18T17:00:00Z', clock)).toBe('2 days late')
    expect(f.formatLate('2026-11-19T17:00:00Z', clock)).toBe('1 day late')
    expect(f.formatLate('2026-11-20T13:00:00Z', clock)).toBe('4 h late')
  })
})

test('formats cents with a real minus sign', () => {
  expect(f.formatMoney(1333750)).toBe('$13,337.50')
  expect(f.formatMoney(-63215)).toBe('−$632.15')
  expect(f.formatMoney(0)).toBe('$0.00')
})

test('counts, percent and file sizes', () => {
  expect(f.formatCount(2514)).toBe('2,514')
  expect(f.formatPercent(13)).toBe('13%')
  expect(f.formatPercent(-3)).toBe('−3%')
  expect(f.formatPercent(5.25)).toBe('5.25%')
  expect(f.formatFileSize(348_160)).toBe('340 KB')
  expect(f.formatFileSize(1_258_291)).toBe('1.2 MB')
  expect(f.formatFileSize(10 * 1024 * 1024)).toBe('10 MB')
  expect(f.formatFileSize(1024 ** 3 * 4.5)).toBe('4.5 GB')
})

test.each([
  ['9055550142', '(905) 555-0142'],
  ['+1 905-555-0142', '(905) 555-0142'],
  ['(905) 555-0142 x204', '(905) 555-0142 x204'],
  ['905.555.0142 ext. 204', '(905) 555-0142 x204'],
  ['+44 20 7946 0958', '+44 20 7946 0958'],
  ['555-0142', '555-0142'],
  ['ask her mother', 'ask her mother'],
  ['+45 20 12 34 56', '+45 20 12 34 56'],
])('phone %s is shown as %s', (typed, shown) => {
  expect(f.formatPhone(typed)).toBe(shown)
})

test('postal codes', () => {
  expect(f.formatPostalCode('m5v2t6')).toBe('M5V 2T6')
  expect(f.formatPostalCode('90210')).toBe('90210')
})
