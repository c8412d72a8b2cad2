import { expect, it } from 'vitest'
import { formatDays, parseDays } from './check-in-labels.ts'

it.each([
  ['1, 3, 7, 30', [1, 3, 7, 30]],
  ['1 3;7', [1, 3, 7]],
  ['', []],
  ['1, two', null],
  ['1.5', null],
  ['-1', null],
])('reads the days of a schedule from %j (issue 27)', (text, days) => {
  expect(parseDays(text)).toEqual(days)
})

it.each([
  [[1], '1 day after'],
  [[30], '30 days after'],
  [[1, 3, 7], '1, 3 and 7 days after'],
])('describes the days %j (issue 27)', (days, text) => {
  expect(formatDays(days)).toBe(text)
})
