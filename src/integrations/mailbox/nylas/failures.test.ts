import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NylasSimulator, startNylasSimulator } from '../../../../simulators/nylas/server.ts'
import { commonFaults, failureOf, largeMail, mail, timeoutFor, type FaultCase, readFaults } from '../../../../test/messages/mail-faults.ts'
import type { Mailbox } from '../mailbox.ts'
import { openNylas } from './nylas.ts'

const apiKey = 'secret-api-key'

const nylasAt = (simulator: NylasSimulator, timeoutSeconds = 20): Mailbox =>
  openNylas({ apiKey, apiUri: simulator.url, grantId: simulator.connect().id, timeoutSeconds })

let simulator: NylasSimulator
let mailbox: Mailbox
beforeAll(async () => {
  simulator = await startNylasSimulator({ apiKey, messages: 60 })
})
afterAll(() => simulator.stop())
beforeEach(() => {
  simulator.resetCalls()
  mailbox = nylasAt(simulator)
})
afterEach(() => simulator.clearFaults())

const rows: FaultCase[] = [
  ...commonFaults,
  ['401', { kind: 'status', status: 401 }, { kind: 'reconnect', uncertain: false, done: false }],
  ['403', { kind: 'status', status: 403 }, { kind: 'refused', uncertain: false, done: false }],
]

test.each(readFaults(rows))('reports %s while reading', async (_, order, { kind }) => {
  simulator.fault({ ...order, match: 'GET .*/threads' })
  const result = failureOf(await nylasAt(simulator, timeoutFor(order)).threads({ limit: 5 }))
  expect(result).toMatchObject({ kind, isUncertain: false })
  expect(result.retryAfter).toBe(kind === 'busy' ? 30 : undefined)
  expect(await mailbox.threads({ limit: 5 })).toMatchObject({ ok: true })
})

test.each(rows)('tries to send once on %s, and says whether the email may have been sent', async (_, order, expected) => {
  const before = simulator.mailbox().list().length
  simulator.fault({ ...order, match: 'messages/send' })
  expect(failureOf(await nylasAt(simulator, timeoutFor(order)).send(mail))).toMatchObject({
    kind: expected.kind,
    isUncertain: expected.uncertain,
  })
  expect(simulator.calls()['POST messages/send']).toBe(1)
  expect(simulator.mailbox().list()).toHaveLength(before + Number(expected.done))
})

const answered = rows.filter(([, { kind }]) => !kind.startsWith('timeout'))
test.each(answered)('does the same on %s while a large email is sent as a form', async (_, order, expected) => {
  simulator.fault({ ...order, match: 'messages/send' })
  expect(failureOf(await mailbox.send(largeMail))).toMatchObject({ kind: expected.kind, isUncertain: expected.uncertain })
  expect(simulator.calls()['POST messages/send']).toBe(1)
})

test.each(readFaults(rows).filter(([, { kind }]) => kind !== 'badJson'))('%s while a file is downloaded', async (_, order, { kind }) => {
  const holder = simulator
    .mailbox()
    .list()
    .find(({ attachments }) => attachments.length > 0)!
  simulator.fault({ ...order, match: '/attachments/' })
  expect(failureOf(await nylasAt(simulator, timeoutFor(order)).attachment(holder.id, holder.attachments[0]!.id))).toMatchObject({
    kind,
    isUncertain: false,
  })
})

test('reports a move that fails halfway, and completes it on the next request', async () => {
  const first = (await simulator.receive({ from: { email: 'a@mail.example' }, subject: 'x', text: 'x' })).message
  const { threadId } = first
  await simulator.receive({ from: { email: 'a@mail.example' }, subject: 'Re: x', text: 'x', threadId })
  simulator.fault({ kind: 'status', status: 503, match: 'PUT .*/messages/' })
  expect(failureOf(await mailbox.change(threadId, { place: 'trash' }))).toMatchObject({ kind: 'away' })
  expect(await mailbox.change(threadId, { place: 'trash' })).toEqual({ ok: true, value: null })
  expect(
    simulator
      .mailbox()
      .thread(threadId)
      .every(({ labels }) => labels.has('TRASH')),
  ).toBe(true)
})

test('requests folders again after a failure', async () => {
  simulator.fault({ kind: 'status', status: 500, match: 'GET .*/folders' })
  expect(failureOf(await mailbox.threads({ limit: 5 }))).toMatchObject({ kind: 'away' })
  expect(await mailbox.threads({ limit: 5 })).toMatchObject({ ok: true })
  simulator.fault({ kind: 'status', status: 500, match: 'GET .*/grants/[^/]+$' })
  const { id } = simulator.mailbox().list()[0]!
  expect(failureOf(await mailbox.message(id))).toMatchObject({ kind: 'away' })
  expect(await mailbox.message(id)).toMatchObject({ ok: true })
})

test('asks to reconnect when a grant expired or was deleted, or the key is wrong', async () => {
  const grant = simulator.connect('other@clinic.example')
  const open = (key: string, grantId: string) => openNylas({ apiKey: key, apiUri: simulator.url, grantId, timeoutSeconds: 5 })
  expect(failureOf(await open('wrong', grant.id).folders())).toMatchObject({ kind: 'reconnect' })
  await simulator.expire(grant.id)
  expect(failureOf(await open(apiKey, grant.id).folders())).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failureOf(await open(apiKey, grant.id).send(mail))).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failureOf(await open(apiKey, grant.id).send(largeMail))).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failureOf(await open(apiKey, crypto.randomUUID()).folders())).toMatchObject({ kind: 'reconnect' })
})

test('reports offline as unavailable, and a refused connection as not sent', async () => {
  simulator.setOffline(true)
  expect(failureOf(await mailbox.folders())).toMatchObject({ kind: 'away' })
  simulator.setOffline(false)
  const gone = await startNylasSimulator({ apiKey, messages: 5 })
  const lost = nylasAt(gone)
  await gone.stop()
  expect(failureOf(await lost.folders())).toMatchObject({ kind: 'away' })
  expect(failureOf(await lost.send(mail))).toMatchObject({ kind: 'away', isUncertain: false })
})
