import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { codeOf, fieldErrorsOf, isDecided, messageOf, placeProblems, reasonOf, statusOf } from './refusal.ts'

const refusal = (options: { defined?: boolean; status?: number; data?: unknown } = {}) =>
  new ORPCError('NAME_TAKEN', { status: 409, message: 'This name is taken', defined: true, ...options })

test('reads code, status and message of an API refusal', () => {
  expect(codeOf(refusal())).toBe('NAME_TAKEN')
  expect(statusOf(refusal())).toBe(409)
  expect(messageOf(refusal())).toBe('This name is taken')
})

test('reveals nothing unsafe about unexpected errors', () => {
  const trouble = refusal({ status: 500, defined: false })
  expect(messageOf(trouble)).toBe('Something went wrong. Please try again.')
  const lost = new TypeError('Failed to fetch')
  expect([codeOf(lost), statusOf(lost), messageOf(lost)]).toEqual([null, 0, 'The connection was lost. Please try again.'])
})

test('says the cause of an outage, such as a full disk', () => {
  const full = new ORPCError('DISK_FULL', { status: 503, message: 'The server’s disk is full' })
  expect(messageOf(full)).toBe('The server’s disk is full')
})

test('reads field messages and ignores malformed ones', () => {
  expect(fieldErrorsOf(refusal({ data: { fields: { email: 'Taken', count: 3 } } }))).toEqual({ email: 'Taken' })
  expect(fieldErrorsOf(refusal())).toEqual({})
  expect(fieldErrorsOf(new Error('x'))).toEqual({})
})

test('names what is wrong where the field is not shown (issue 29)', () => {
  const withoutEmail = refusal({ data: { fields: { customerId: 'This customer has no email' } } })
  expect([reasonOf(withoutEmail), reasonOf(refusal())]).toEqual(['This customer has no email', 'This name is taken'])
  expect(placeProblems({ paidOn: 'Enter a date', chargeId: 'Another patient’s charge' }, ['paidOn'])).toEqual({
    paidOn: 'Enter a date',
    form: 'Another patient’s charge',
  })
  expect(placeProblems({ form: 'Reload the page', paidOn: 'Enter a date' }, ['paidOn'])).toEqual({
    form: 'Reload the page',
    paidOn: 'Enter a date',
  })
  expect(placeProblems({ paidOn: 'Enter a date' }, ['paidOn'])).toEqual({ paidOn: 'Enter a date' })
})

test('treats only errors listed in the contract as decisions about the request', () => {
  expect(isDecided(refusal())).toBe(true)
  expect(isDecided(refusal({ defined: false }))).toBe(false)
  expect(isDecided(refusal({ status: 429 }))).toBe(false)
  expect(isDecided(new TypeError('Failed to fetch'))).toBe(false)
})
