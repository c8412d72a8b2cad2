import { describe, expect, it } from 'vitest'
import { calendarDay, instant, timeOfDay } from './dates.ts'

describe('days', () => {
  it.each(['1900-01-01', '2024-02-29', '2200-12-31'])('accepts %s', (day) => expect(calendarDay.parse(day)).toBe(day))
  it.each([
    '2023-02-29',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '1899-12-31',
    '2201-01-01',
    '99999-01-01',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00:00Z',
    '',
  ])('rejects %j', (day) => expect(calendarDay.safeParse(day).success).toBe(false))
})

describe('instants', () => {
  it.each([
    ['2026-03-08T02:30:00-05:00', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01T01:30:00.123Z', '2026-11-01T01:30:00.123Z'],
  ])('%s', (given, expected) => expect(instant.parse(given).toISOString()).toBe(expected))
  it.each([
    '2026-03-08T02:30:00',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '2026-01-01T24:00:00Z',
    '+002026-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
  ])('rejects %j', (given) => expect(instant.safeParse(given).success).toBe(false))
})

describe('times of day', () => {
  it.each(['00:00', '09:05', '23:59'])('accepts %s', (time) => expect(timeOfDay.parse(time)).toBe(time))
  it.each(['24:00', '9:05', '09:60', '09:05:00', ' 09:05', ''])('rejects %j', (time) =>
    expect(timeOfDay.safeParse(time).success).toBe(false),
  )
})
