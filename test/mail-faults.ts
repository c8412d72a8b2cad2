/** What goes wrong at a provider of mail, on demand of its simulator, and what a mailbox makes of it. */
import { expect } from 'vitest'
import type { FaultOrder } from '../simulators/faults.ts'
import type { Failure, OutgoingMail, Result } from '../src/integrations/mailbox/mailbox.ts'

export const mail: OutgoingMail = {
  to: [{ name: 'Ann', email: 'ann@mail.example' }],
  cc: [],
  bcc: [],
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  answers: null,
  attachments: [],
}
export const large = {
  ...mail,
  attachments: [{ name: 'a.bin', mimeType: 'application/octet-stream', bytes: new Uint8Array(4 * 1024 * 1024) }],
}

export type Order = Exclude<FaultOrder, { random: unknown }>
export type Row = [fault: string, order: Order, expected: { kind: string; uncertain: boolean; done: boolean }]

/** `uncertain` and `done` are of a mail that was sent. */
export const common: Row[] = [
  ['500', { kind: 'status', status: 500 }, { kind: 'away', uncertain: true, done: false }],
  ['502', { kind: 'status', status: 502 }, { kind: 'away', uncertain: true, done: false }],
  ['503', { kind: 'status', status: 503 }, { kind: 'away', uncertain: true, done: false }],
  ['504', { kind: 'status', status: 504 }, { kind: 'away', uncertain: true, done: false }],
  ['429', { kind: 'status', status: 429, retryAfter: 30 }, { kind: 'busy', uncertain: false, done: false }],
  ['404', { kind: 'status', status: 404 }, { kind: 'missing', uncertain: false, done: false }],
  ['400', { kind: 'status', status: 400 }, { kind: 'refused', uncertain: false, done: false }],
  ['no answer, and nothing done', { kind: 'timeoutBefore' }, { kind: 'away', uncertain: true, done: false }],
  ['no answer after it was done', { kind: 'timeoutAfter' }, { kind: 'away', uncertain: true, done: true }],
  ['a line that breaks before', { kind: 'dropBefore' }, { kind: 'away', uncertain: true, done: false }],
  ['a line that breaks after', { kind: 'dropAfter' }, { kind: 'away', uncertain: true, done: true }],
  ['an answer cut short', { kind: 'badJson' }, { kind: 'unreadable', uncertain: true, done: true }],
]

/** What is read is no other for anyone who waits in vain. */
export const whileReading = (rows: readonly Row[]) => rows.filter(([, { kind }]) => kind !== 'timeoutAfter')

/** Seconds: anyone who is never answered need not wait long here; anyone who is has the time that a busy machine takes. */
export const timeoutFor = ({ kind }: Order): number => (kind.startsWith('timeout') ? 0.5 : 20)

/** A refusal that tells no secret. */
export const failed = (result: Result<unknown>): Failure => {
  if (result.ok) throw new Error('it went well')
  expect(result.message).not.toMatch(/secret|ya29|1\/\/0/)
  return result
}
