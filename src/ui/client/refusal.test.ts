import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { codeOf, fieldErrorsOf, isDecided, messageOf, statusOf } from './refusal.ts'

const refusal = (options: { defined?: boolean; status?: number; data?: unknown } = {}) =>
  new ORPCError('NAME_TAKEN', { status: 409, message: 'This name is taken', defined: true, ...options })

test('knows a refusal of the API by its code, status and message', () => {
  expect(codeOf(refusal())).toBe('NAME_TAKEN')
  expect(statusOf(refusal())).toBe(409)
  expect(messageOf(refusal())).toBe('This name is taken')
})

test('says no more of the unexpected than is safe', () => {
  const trouble = refusal({ status: 500, defined: false })
  expect(messageOf(trouble)).toBe('Something went wrong. Please try again.')
  const lost = new TypeError('Failed to fetch')
  expect([codeOf(lost), statusOf(lost), messageOf(lost)]).toEqual([null, 0, 'The connection was lost. Please try again.'])
})

test('reads the messages of single fields, and nothing that is none', () => {
  expect(fieldErrorsOf(refusal({ data: { fields: { email: 'Taken', count: 3 } } }))).toEqual({ email: 'Taken' })
  expect(fieldErrorsOf(refusal())).toEqual({})
  expect(fieldErrorsOf(new Error('x'))).toEqual({})
})

test('takes only what the contract lists for a decision about the request', () => {
  expect(isDecided(refusal())).toBe(true)
  expect(isDecided(refusal({ defined: false }))).toBe(false)
  expect(isDecided(refusal({ status: 429 }))).toBe(false)
  expect(isDecided(new TypeError('Failed to fetch'))).toBe(false)
})
