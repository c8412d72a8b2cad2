import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isNylas, notification } from './hook.ts'

const secret = 'hook-secret'
const body = new TextEncoder().encode('{"specversion":"1.0","subject":"Rückruf"}')
const signature = createHmac('sha256', secret).update(body).digest('hex')

test('accepts a body with a valid HMAC, in upper or lower case', () => {
  expect(isNylas(secret, signature, body)).toBe(true)
  expect(isNylas(secret, signature.toUpperCase(), body)).toBe(true)
})

test.each([
  ['of another secret', createHmac('sha256', 'other').update(body).digest('hex')],
  ['of another body', createHmac('sha256', secret).update('{}').digest('hex')],
  ['that is cut short', signature.slice(0, -2)],
  ['with more behind it', `${signature}00`],
  ['that is no hexadecimal', 'x'.repeat(64)],
  ['that is empty', ''],
  ['that is missing', null],
  ['that is missing as a header', undefined],
])('refuses a signature %s', (_, given) => {
  expect(isNylas(secret, given, body)).toBe(false)
})

const event = (type: string, object: unknown) => ({
  specversion: '1.0',
  type,
  source: '/google/emails/realtime',
  id: 'n1',
  time: 1_777_000_000,
  webhook_delivery_attempt: 1,
  data: { application_id: 'app', object },
})

test.each(['message.created', 'message.updated', 'message.created.truncated', 'message.updated.transformed'])(
  '%s names the message, its thread and the grant',
  (type) => {
    const given = event(type, { id: 'm1', grant_id: 'g1', thread_id: 't1', subject: 'Hello', folders: ['INBOX'] })
    expect(notification.parse(given)).toEqual({ type: 'message', id: 'n1', grantId: 'g1', messageId: 'm1', threadId: 't1' })
  },
)

test('accepts a message without a thread', () => {
  const given = event('message.created', { id: 'm1', grant_id: 'g1', thread_id: null })
  expect(notification.parse(given)).toMatchObject({ type: 'message', threadId: undefined })
})

test('grant.expired names the grant, and the second if given', () => {
  const given = event('grant.expired', { code: 25009, grant_id: 'g1', integration_id: 'i', provider: 'google', email: 'a@clinic.example' })
  const expired = { type: 'expired', id: 'n1', grantId: 'g1' }
  expect(notification.parse(given)).toEqual({ ...expired, at: new Date(1_777_000_000_999) })
  for (const time of [undefined, null, 'now', -1, Number.MAX_SAFE_INTEGER])
    expect(notification.parse({ ...given, time })).toEqual({ ...expired, at: null })
})

test.each(['grant.created', 'message.opened', 'message.send_failed', 'message.created_elsewhere', 'event.updated'])(
  'ignores %s, whatever it contains',
  (type) => {
    expect(notification.parse(event(type, { anything: true }))).toEqual({ type: 'other', id: 'n1' })
  },
)

test.each([
  ['a message without its id', event('message.created', { grant_id: 'g1' }), ['data', 'object', 'id']],
  ['a message without its grant', event('message.updated', { id: 'm1' }), ['data', 'object', 'grant_id']],
  ['an expiry without its grant', event('grant.expired', {}), ['data', 'object', 'grant_id']],
  ['a message without data', { id: 'n1', type: 'message.created' }, ['data']],
  ['nothing', undefined, []],
])('refuses %s and names the field', (_, given, path) => {
  const read = notification.safeParse(given)
  expect(read.error?.issues[0]?.path).toEqual(path)
})
