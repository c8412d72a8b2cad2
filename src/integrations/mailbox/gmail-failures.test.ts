import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GmailSimulator, startGmailSimulator } from '../../../simulators/gmail/server.ts'
import { common, failed, mail, type Order, timeoutFor, type Row, whileReading } from '../../../test/mail-faults.ts'
import { openGmail } from './gmail.ts'
import type { GmailTokens } from './gmail-client.ts'
import type { Mailbox } from './mailbox.ts'

const client = { clientId: 'id', clientSecret: 'client-secret' }

function gmailAt(simulator: GmailSimulator, change: Partial<GmailTokens> = {}, timeoutSeconds = 20) {
  const { access_token: accessToken, refresh_token: refreshToken } = simulator.connect()
  const tokens: GmailTokens = { accessToken, refreshToken, expiresAt: Date.now() + 3_000_000, ...change }
  const kept: GmailTokens[] = []
  const onTokens = async (renewed: GmailTokens) => {
    kept.push(renewed)
  }
  return { mailbox: openGmail({ ...client, baseUrl: simulator.url, tokens, onTokens, timeoutSeconds }), tokens, kept }
}

let simulator: GmailSimulator
let mailbox: Mailbox
beforeAll(async () => {
  simulator = await startGmailSimulator({ ...client, messages: 200 })
})
afterAll(() => simulator.stop())
beforeEach(() => {
  simulator.resetCalls()
  ;({ mailbox } = gmailAt(simulator))
})
afterEach(() => simulator.clearFaults())

const rows: Row[] = [
  ...common,
  ['403 for too many calls', { kind: 'status', status: 403 }, { kind: 'busy', uncertain: false, done: false }],
]

test.each(whileReading(rows))('issue 7: %s while reading is said as it is', async (_, order, { kind }) => {
  simulator.fault({ ...order, match: 'GET .*/threads$' })
  const result = failed(await gmailAt(simulator, {}, timeoutFor(order)).mailbox.threads({ limit: 5 }))
  expect(result).toMatchObject({ kind, isUncertain: false })
  expect(typeof result.retryAfter).toBe(order.kind === 'status' && order.status === 429 ? 'number' : 'undefined')
  expect(await mailbox.threads({ limit: 5 })).toMatchObject({ ok: true })
})

test.each(whileReading(rows).filter(([name]) => name !== '404'))(
  'issue 7: %s at one thread of a list fails the list',
  async (_, order, { kind }) => {
    simulator.fault({ ...order, match: 'GET .*/threads/' })
    expect(failed(await gmailAt(simulator, {}, timeoutFor(order)).mailbox.threads({ limit: 20 }))).toMatchObject({ kind })
    // The rest is not asked for once one has failed.
    if (order.kind === 'status') expect(simulator.calls()['GET threads/{id}']).toBeLessThan(20)
  },
)

test('issue 7: a thread that went while it was listed is left out', async () => {
  simulator.fault({ kind: 'status', status: 404, match: 'GET .*/threads/' })
  const page = await mailbox.threads({ limit: 20, folder: 'INBOX' })
  expect(page).toMatchObject({ ok: true })
  const ids = new Set(
    simulator
      .mailbox()
      .list()
      .filter(({ labels }) => labels.has('INBOX'))
      .map(({ threadId }) => threadId),
  )
  expect(page.ok && new Set(page.value.threads.map(({ id }) => id)).size).toBe(Math.min(ids.size, 20) - 1)
})

test.each(rows)('issue 7: %s while sending is tried once, and says whether the mail may be gone', async (_, order, expected) => {
  const before = simulator.mailbox().list().length
  simulator.fault({ ...order, match: 'messages/send' })
  expect(failed(await gmailAt(simulator, {}, timeoutFor(order)).mailbox.send(mail))).toMatchObject({
    kind: expected.kind,
    isUncertain: expected.uncertain,
  })
  expect(simulator.calls()['POST messages/send']).toBe(1)
  expect(simulator.mailbox().list()).toHaveLength(before + Number(expected.done))
})

test.each(whileReading(rows))('issue 7: %s before sending leaves no doubt', async (_, order) => {
  const before = simulator.mailbox().list().length
  simulator.fault({ ...order, match: 'sendAs' })
  const result = await gmailAt(simulator, {}, timeoutFor(order)).mailbox.send(mail)
  // Who signs it is not worth a refusal.
  const isSent = order.status === 400 || order.status === 404
  expect(result.ok || result.isUncertain).toBe(isSent)
  expect(simulator.mailbox().list()).toHaveLength(before + Number(isSent))
  expect(await mailbox.send(mail)).toMatchObject({ ok: true })
})

test('issue 7: an answer to a mail that is gone is not sent', async () => {
  const before = simulator.mailbox().list().length
  const answers = { messageId: 'abcdef', threadId: 'abcdef' }
  expect(failed(await mailbox.send({ ...mail, answers }))).toMatchObject({ kind: 'missing', isUncertain: false })
  expect(simulator.mailbox().list()).toHaveLength(before)
})

test('issue 7: tokens that have ended are renewed once for all calls, and kept before they are used', async () => {
  const { access_token: accessToken, refresh_token: refreshToken } = simulator.connect()
  const tokens = { accessToken, refreshToken, expiresAt: Date.now() - 1 }
  const kept: GmailTokens[] = []
  let callsBefore: object = {}
  const onTokens = async (renewed: GmailTokens) => {
    await fetch(`${simulator.url}/_control/calls`)
    callsBefore = simulator.calls()
    kept.push(renewed)
  }
  const open = openGmail({ ...client, baseUrl: simulator.url, tokens, onTokens, timeoutSeconds: 5 })
  const results = await Promise.all([open.folders(), open.threads({ limit: 20 }), open.messages({ folder: 'INBOX', limit: 5 })])
  expect(results.every(({ ok }) => ok)).toBe(true)
  expect(kept).toEqual([{ refreshToken, accessToken: expect.not.stringMatching(accessToken), expiresAt: expect.any(Number) }])
  expect(kept[0]!.expiresAt).toBeGreaterThan(Date.now())
  expect(callsBefore).toEqual({ 'POST /token': 1 })
  expect(simulator.calls()['POST /token']).toBe(1)
})

test('issue 7: a token that ended before its time is renewed once, and the call made again, a mail too', async () => {
  const { mailbox: open, kept, tokens } = gmailAt(simulator)
  simulator.expireAccess()
  expect(await open.threads({ limit: 20 })).toMatchObject({ ok: true })
  expect(kept).toHaveLength(1)
  simulator.expireAccess()
  const before = simulator.mailbox().list().length
  expect(await open.send(mail)).toMatchObject({ ok: true })
  expect(simulator.mailbox().list()).toHaveLength(before + 1)
  expect(kept).toHaveLength(2)
  expect(kept.every(({ refreshToken }) => refreshToken === tokens.refreshToken)).toBe(true)
})

test('issue 7: a token that is refused although it was renewed asks for connecting again', async () => {
  const { mailbox: open, kept } = gmailAt(simulator)
  simulator.fault({ kind: 'status', status: 401, times: 2, match: 'GET .*/labels$' })
  expect(failed(await open.folders())).toMatchObject({ kind: 'reconnect' })
  expect(kept).toHaveLength(1)
  expect(simulator.calls()).toMatchObject({ 'GET labels': 2, 'POST /token': 1 })
})

test('issue 7: access that the person took back asks for connecting again, and keeps nothing', async () => {
  const { mailbox: open, kept } = gmailAt(simulator)
  simulator.revoke()
  expect(failed(await open.folders())).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failed(await open.send(mail))).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(kept).toEqual([])
})

test.each([
  ['500', { kind: 'status', status: 500 }, 'away'],
  ['429', { kind: 'status', status: 429 }, 'busy'],
  ['no answer', { kind: 'timeoutBefore' }, 'away'],
  ['a line that breaks', { kind: 'dropAfter' }, 'away'],
  ['an answer cut short', { kind: 'badJson' }, 'away'],
] as [string, Order, string][])('issue 7: %s where tokens are renewed is asked once and passes', async (_, order, kind) => {
  const { mailbox: open, kept } = gmailAt(simulator, { expiresAt: 0 }, timeoutFor(order) * 2)
  simulator.fault({ ...order, match: '/token' })
  expect(failed(await open.send(mail))).toMatchObject({ kind, isUncertain: false })
  expect(simulator.calls()).toEqual({ 'POST /token': 1 })
  expect(kept).toEqual([])
  expect(await open.folders()).toMatchObject({ ok: true })
  expect(kept).toHaveLength(1)
})

test("issue 7: a wrong secret of the clinic's own does not end anyone's connection", async () => {
  const { tokens } = gmailAt(simulator)
  const wrong = { ...client, clientSecret: 'other-secret', baseUrl: simulator.url, timeoutSeconds: 5 }
  const open = openGmail({ ...wrong, tokens: { ...tokens, expiresAt: 0 }, onTokens: async () => {} })
  expect(failed(await open.folders())).toMatchObject({ kind: 'refused' })
})

test('issue 7: offline is away, and no one listening leaves no doubt', async () => {
  simulator.setOffline(true)
  expect(failed(await mailbox.folders())).toMatchObject({ kind: 'away' })
  simulator.setOffline(false)
  const gone = await startGmailSimulator({ ...client, messages: 5 })
  const { mailbox: lost } = gmailAt(gone)
  const { mailbox: ended } = gmailAt(gone, { expiresAt: 0 })
  await gone.stop()
  for (const one of [lost, ended]) {
    expect(failed(await one.folders())).toMatchObject({ kind: 'away' })
    expect(failed(await one.send(mail))).toMatchObject({ kind: 'away', isUncertain: false })
  }
})
