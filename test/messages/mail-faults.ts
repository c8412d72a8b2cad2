/** Failures of an email provider, triggered in its simulator, and how a mailbox reports them. */
import { expect } from 'vitest'
import type { FaultRequest } from '../../simulators/faults.ts'
import type { Failure, OutgoingMail, Result } from '../../src/integrations/mailbox/mailbox.ts'

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
export const largeMail = {
  ...mail,
  attachments: [{ name: 'a.bin', mimeType: 'application/octet-stream', bytes: new Uint8Array(4 * 1024 * 1024) }],
}

export type Fault = Exclude<FaultRequest, { random: unknown }>
export type FaultCase = [fault: string, order: Fault, expected: { kind: string; uncertain: boolean; done: boolean }]

/** `uncertain` and `done` apply to a sent email. */
export const commonFaults: FaultCase[] = [
  ['500', { kind: 'status', status: 500 }, { kind: 'away', uncertain: true, done: false }],
  ['502', { kind: 'status', status: 502 }, { kind: 'away', uncertain: true, done: false }],
  ['503', { kind: 'status', status: 503 }, { kind: 'away', uncertain: true, done: false }],
  ['504', { kind: 'status', status: 504 }, { kind: 'away', uncertain: true, done: false }],
  ['429', { kind: 'status', status: 429, retryAfter: 30 }, { kind: 'busy', uncertain: false, done: false }],
  ['404', { kind: 'status', status: 404 }, { kind: 'missing', uncertain: false, done: false }],
  ['400', { kind: 'status', status: 400 }, { kind: 'refused', uncertain: false, done: false }],
  ['a timeout without effect', { kind: 'timeoutBefore' }, { kind: 'away', uncertain: true, done: false }],
  ['a timeout after it took effect', { kind: 'timeoutAfter' }, { kind: 'away', uncertain: true, done: true }],
  ['a connection lost before the request', { kind: 'dropBefore' }, { kind: 'away', uncertain: true, done: false }],
  ['a connection lost after the request', { kind: 'dropAfter' }, { kind: 'away', uncertain: true, done: true }],
  ['a truncated response', { kind: 'badJson' }, { kind: 'unreadable', uncertain: true, done: true }],
]

/** Faults for reads, where a timeout before or after makes no difference. */
export const readFaults = (rows: readonly FaultCase[]) => rows.filter(([, { kind }]) => kind !== 'timeoutAfter')

/** Seconds: short if there will be no response, otherwise long enough for a busy machine. */
export const timeoutFor = ({ kind }: Fault): number => (kind.startsWith('timeout') ? 0.5 : 20)

/** The failure of a result; its message must not contain a secret. */
export const failureOf = (result: Result<unknown>): Failure => {
  if (result.ok) throw new Error('Expected a failure')
  expect(result.message).not.toMatch(/secret|ya29|1\/\/0/)
  return result
}
