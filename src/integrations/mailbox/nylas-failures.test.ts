import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NylasSimulator, startNylasSimulator } from '../../../simulators/nylas/server.ts'
import { common, failed, large, mail, timeoutFor, type Row, whileReading } from '../../../test/mail-faults.ts'
import type { Mailbox } from './mailbox.ts'
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

const rows: Row[] = [
  ...common,
  ['401', { kind: 'status', status: 401 }, { kind: 'reconnect', uncertain: false, done: false }],
  ['403', { kind: 'status', status: 403 }, { kind: 'refused', uncertain: false, done: false }],
]

test.each(whileReading(rows))('issue 7: %s while reading is said as it is', async (_, order, { kind }) => {
  simulator.fault({ ...order, match: 'GET .*/threads' })
  const result = failed(await nylasAt(simulator, timeoutFor(order)).threads({ limit: 5 }))
  expect(result).toMatchObject({ kind, isUncertain: false })
  expect(result.retryAfter).toBe(kind === 'busy' ? 30 : undefined)
  expect(await mailbox.threads({ limit: 5 })).toMatchObject({ ok: true })
})

test.each(rows)('issue 7: %s while sending is tried once, and says whether the mail may be gone', async (_, order, expected) => {
  const before = simulator.mailbox().list().length
  simulator.fault({ ...order, match: 'messages/send' })
  expect(failed(await nylasAt(simulator, timeoutFor(order)).send(mail))).toMatchObject({
    kind: expected.kind,
    isUncertain: expected.uncertain,
  })
  expect(simulator.calls()['POST messages/send']).toBe(1)
  expect(simulator.mailbox().list()).toHaveLength(before + Number(expected.done))
})

const answered = rows.filter(([, { kind }]) => !kind.startsWith('timeout'))
test.each(answered)('issue 7: %s while a large mail is sent as a form, likewise', async (_, order, expected) => {
  simulator.fault({ ...order, match: 'messages/send' })
  expect(failed(await mailbox.send(large))).toMatchObject({ kind: expected.kind, isUncertain: expected.uncertain })
  expect(simulator.calls()['POST messages/send']).toBe(1)
})

test.each(whileReading(rows).filter(([, { kind }]) => kind !== 'badJson'))(
  'issue 7: %s while a file is fetched',
  async (_, order, { kind }) => {
    const holder = simulator
      .mailbox()
      .list()
      .find(({ attachments }) => attachments.length > 0)!
    simulator.fault({ ...order, match: '/attachments/' })
    expect(failed(await nylasAt(simulator, timeoutFor(order)).attachment(holder.id, holder.attachments[0]!.id))).toMatchObject({
      kind,
      isUncertain: false,
    })
  },
)

test('issue 7: a move that fails half way is said, and goes on when it is asked for again', async () => {
  const first = (await simulator.receive({ from: { email: 'a@mail.example' }, subject: 'x', text: 'x' })).message
  const { threadId } = first
  await simulator.receive({ from: { email: 'a@mail.example' }, subject: 'Re: x', text: 'x', threadId })
  simulator.fault({ kind: 'status', status: 503, match: 'PUT .*/messages/' })
  expect(failed(await mailbox.change(threadId, { place: 'trash' }))).toMatchObject({ kind: 'away' })
  expect(await mailbox.change(threadId, { place: 'trash' })).toEqual({ ok: true, value: null })
  expect(
    simulator
      .mailbox()
      .thread(threadId)
      .every(({ labels }) => labels.has('TRASH')),
  ).toBe(true)
})

test('issue 7: folders that could not be read are asked for again', async () => {
  simulator.fault({ kind: 'status', status: 500, match: 'GET .*/folders' })
  expect(failed(await mailbox.threads({ limit: 5 }))).toMatchObject({ kind: 'away' })
  expect(await mailbox.threads({ limit: 5 })).toMatchObject({ ok: true })
  simulator.fault({ kind: 'status', status: 500, match: 'GET .*/grants/[^/]+$' })
  const { id } = simulator.mailbox().list()[0]!
  expect(failed(await mailbox.message(id))).toMatchObject({ kind: 'away' })
  expect(await mailbox.message(id)).toMatchObject({ ok: true })
})

test('issue 7: an expired grant, one that is gone and a wrong key ask for connecting again', async () => {
  const grant = simulator.connect('other@clinic.example')
  const open = (key: string, grantId: string) => openNylas({ apiKey: key, apiUri: simulator.url, grantId, timeoutSeconds: 5 })
  expect(failed(await open('wrong', grant.id).folders())).toMatchObject({ kind: 'reconnect' })
  await simulator.expire(grant.id)
  expect(failed(await open(apiKey, grant.id).folders())).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failed(await open(apiKey, grant.id).send(mail))).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failed(await open(apiKey, grant.id).send(large))).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failed(await open(apiKey, crypto.randomUUID()).folders())).toMatchObject({ kind: 'reconnect' })
})

test('issue 7: offline is away, and no one listening leaves no doubt', async () => {
  simulator.setOffline(true)
  expect(failed(await mailbox.folders())).toMatchObject({ kind: 'away' })
  simulator.setOffline(false)
  const gone = await startNylasSimulator({ apiKey, messages: 5 })
  const lost = nylasAt(gone)
  await gone.stop()
  expect(failed(await lost.folders())).toMatchObject({ kind: 'away' })
  expect(failed(await lost.send(mail))).toMatchObject({ kind: 'away', isUncertain: false })
})
