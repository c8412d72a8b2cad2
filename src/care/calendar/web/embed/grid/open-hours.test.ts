import { expect, it } from 'vitest'
import { scrollTime } from './open-hours.ts'

const hours = [{ weekday: 1, opens: '08:30', closes: '16:30' }]

it('scrolls to just before opening time or the earliest booking', () => {
  expect(scrollTime(hours, [])).toEqual({ minutes: 7 * 60 + 50 })
  expect(scrollTime(hours, ['11:00', '07:30'])).toEqual({ minutes: 6 * 60 + 50 })
  expect(scrollTime(hours, ['00:15'])).toEqual({ minutes: 0 })
  expect(scrollTime([], ['11:00'])).toEqual({ minutes: 7 * 60 + 20 })
})
