import { describe, expect, it } from 'vitest'
import { changeOf, inDays, formatDuration, percentOf } from './measures.ts'

describe('comparison with the previous period', () => {
  it.each([
    [38, 34, '+12%', 'up'],
    [97, 100, '−3%', 'down'],
    [0, 4, '−100%', 'down'],
    [4000, 1, '+399,900%', 'up'],
    [5, 5, 'Same as', 'same'],
    [1001, 1000, '±0% on', 'same'],
  ])('%i after %i: %s', (count, before, text, tone) => {
    expect(changeOf(count, before)).toEqual({ text, tone })
  })
  it('is null without a previous value', () => {
    expect(changeOf(5, 0)).toBe(null)
  })
})

it.each([
  [0, '0 min'],
  [59 * 60, '59 min'],
  [3599, '1 h'],
  [72 * 60, '1 h 12 min'],
  [86_399, '1 day'],
  [26 * 3600, '1 day 2 h'],
  [2 * 86_400, '2 days'],
  [8.5 * 86_400, '9 days'],
])('%i seconds: %s', (seconds, text) => {
  expect(formatDuration(seconds).replaceAll('\u00a0', ' ')).toBe(text)
})

it('shows days to one decimal', () => {
  expect([0, 43_200, 86_400 * 12.34].map(inDays)).toEqual(['0.0', '0.5', '12.3'])
})

it.each([
  [0, 0, '0%'],
  [0, 9, '0%'],
  [1, 1000, '<1%'],
  [1, 3, '33%'],
  [3, 3, '100%'],
])('%i of %i: %s', (count, total, text) => {
  expect(percentOf(count, total)).toBe(text)
})
