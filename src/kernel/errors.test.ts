import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from './errors.ts'

it.each([
  [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), true],
  [Object.assign(new Error('server is shutting down'), { code: '57P01' }), true],
  [new Error('Connection terminated unexpectedly'), true],
  [new Error('Client has encountered a connection error and is not queryable'), true],
  [new Error('Failed query: rollback', { cause: new Error('Client was closed and is not queryable') }), true],
  [Object.assign(new Error('duplicate key'), { code: '23505' }), false],
  [new TypeError('Cannot read properties of undefined'), false],
  [null, false],
])('takes %s for an unavailable database: %s', (error, isUnavailable) => expect(isDatabaseUnavailable(error)).toBe(isUnavailable))
