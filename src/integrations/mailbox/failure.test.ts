import { expect, test } from 'vitest'
import { failure, isId, noAnswer, secondsToWait } from './failure.ts'

const now = Date.UTC(2026, 4, 1, 15)

test.each([
  ['30', 30],
  [' 0 ', 0],
  ['Fri, 01 May 2026 15:00:45 GMT', 45],
  ['2026-05-01T15:00:09.500Z', 10],
  ['Fri, 01 May 2026 14:00:00 GMT', 0],
  ['soon', undefined],
  ['-5x', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(secondsToWait(header, now)).toBe(seconds)
})

test.each([
  ['ECONNREFUSED', false],
  ['ENOTFOUND', false],
  ['EAI_AGAIN', false],
  ['ECONNRESET', true],
  ['ETIMEDOUT', true],
  [undefined, true],
])('after %s, the email may have been sent: %s', (code, isUncertain) => {
  const error = new TypeError('fetch failed', { cause: { code } })
  expect(noAnswer(error, 'Gmail', true)).toEqual(failure('away', 'Gmail does not answer', { isUncertain }))
  expect(noAnswer(error, 'Gmail', false).isUncertain).toBe(false)
})

test.each([
  ['a', true],
  ['19001', true],
  ['AQMk=', true],
  ['a/b', true],
  ['...', true],
  ['%', true],
])('accepts %j as an id', (id) => {
  expect(isId(id)).toBe(true)
})

test.each(['', '.', '..', '%2e', '%2E%2e', '.%2e'])('refuses %j as an id, because it would change the path', (id) => {
  expect(isId(id)).toBe(false)
})
