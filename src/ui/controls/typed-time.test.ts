import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysLater } from '../../shared/zoned-time.ts'
import { formatDay, formatTimeOfDay } from '../format.ts'
import { formatTypedDay, parseDay, parseTime } from './typed-time.ts'

// A Tuesday.
const today = '2026-11-24'

describe('a typed date', () => {
  it.each([
    ['2026-11-26', '2026-11-26'],
    ['20261126', '2026-11-26'],
    ['2026/1/5', '2026-01-05'],
    ['nov 26', '2026-11-26'],
    ['Nov. 26', '2026-11-26'],
    ['Nov26', '2026-11-26'],
    ['November 26, 2027', '2027-11-26'],
    ['26 nov', '2026-11-26'],
    ['26-Nov-27', '2027-11-26'],
    ['26th november 2026', '2026-11-26'],
    ['Thu, Nov 26', '2026-11-26'],
    ['thursday nov 26 2026', '2026-11-26'],
    ['sept 3', '2026-09-03'],
    ['26/11', '2026-11-26'],
    ['26/11/2026', '2026-11-26'],
    ['11/26', '2026-11-26'],
    ['11/26/26', '2026-11-26'],
    ['3/4', '2027-03-04'],
    ['jan 8', '2027-01-08'],
    ['today', '2026-11-24'],
    ['Tomorrow', '2026-11-25'],
    ['yesterday', '2026-11-23'],
    ['tue', '2026-12-01'],
    ['wed', '2026-11-25'],
    ['next monday', '2026-11-30'],
    ['+10', '2026-12-04'],
    ['in 2 weeks', '2026-12-08'],
    ['+3m', '2027-02-24'],
    ['feb 29', '2028-02-29'],
    ['  nov   26 ', '2026-11-26'],
  ])('reads %j as %s', (typed, day) => {
    expect(parseDay(typed, { today })).toBe(day)
  })

  it.each(['', 'n', 'nov', 'nov 31', '31/31', '2026-02-30', 'foo 26', 'foo nov 26', 'nov 26 x', '26', '26/11/1', '1026-11-26', 'soon'])(
    'reads %j as no date',
    (typed) => {
      expect(parseDay(typed, { today })).toBeNull()
    },
  )

  it("uses the year nearest to the field's value, within the bounds", () => {
    expect(parseDay('jan 9', { today, near: '2026-01-08' })).toBe('2026-01-09')
    expect(parseDay('jan 4', { today, near: '2026-12-30' })).toBe('2027-01-04')
    expect(parseDay('nov 20', { today, min: today })).toBe('2027-11-20')
    expect(parseDay('dec 20', { today, max: today })).toBe('2025-12-20')
  })

  it('parses every format that fields and pages display', () => {
    const days = fc.integer({ min: -3_000, max: 8_000 }).map((days) => daysLater(today, days))
    fc.assert(
      fc.property(days, (day) => {
        expect(parseDay(formatTypedDay(day, today), { today, near: day })).toBe(day)
        expect(parseDay(formatDay(day), { today })).toBe(day)
        expect(parseDay(day, { today })).toBe(day)
      }),
    )
  })

  it('never throws, and returns a calendar day or null', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(parseDay(typed, { today }) ?? today).toMatch(/^\d{4}-\d\d-\d\d$/)
      }),
    )
  })
})

describe('a typed time', () => {
  it.each([
    ['3pm', '15:00'],
    ['3 p.m.', '15:00'],
    ['3p', '15:00'],
    ['3:30 pm', '15:30'],
    ['11am', '11:00'],
    ['15:00', '15:00'],
    ['15.30', '15:30'],
    ['14h30', '14:30'],
    ['9h', '09:00'],
    ['1030', '10:30'],
    ['930', '09:30'],
    ['0915AM', '09:15'],
    ['9', '09:00'],
    ['3', '15:00'],
    ['330', '15:30'],
    ['03:00', '03:00'],
    ['3am', '03:00'],
    ['12am', '00:00'],
    ['12pm', '12:00'],
    ['12', '12:00'],
    ['00:15', '00:15'],
    ['noon', '12:00'],
    ['Midnight', '00:00'],
  ])('reads %j as %s', (typed, time) => {
    expect(parseTime(typed)).toBe(time)
  })

  it.each(['', 'p', '25', '24:00', '9:60', '13pm', '0am', '9:5', '12345', 'soon'])('rejects %j', (typed) => {
    expect(parseTime(typed)).toBeNull()
  })

  it('parses every format that fields display', () => {
    const two = (number: number) => String(number).padStart(2, '0')
    const times = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`)
    fc.assert(
      fc.property(times, (time) => {
        expect(parseTime(formatTimeOfDay(time))).toBe(time)
        expect(parseTime(time)).toBe(time)
      }),
    )
  })

  it('never throws, and returns a time or null', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(parseTime(typed) ?? '00:00').toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
      }),
    )
  })
})
