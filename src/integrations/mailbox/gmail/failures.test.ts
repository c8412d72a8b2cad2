import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GmailSimulator, startGmailSimulator } from '../../../../simulators/gmail/server.ts'
import { commonFaults, failureOf, mail, type Fault, timeoutFor, type FaultCase, readFaults } from '../../../../test/messages/mail-faults.ts'
import { openGmail } from './gmail.ts'
import type { GmailTokens } from './client.ts'
import type { Mailbox } from '../mailbox.ts'

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

const rows: FaultCase[] = [
  ...commonFaults,
  ['403 for too many calls', { kind: 'status', status: 403 }, { kind: 'busy', uncertain: false, done: false }],
]

test.each(readFaults(rows))('reports %s while reading', async (_, order, { kind }) => {
  simulator.fault({ ...order, match: 'GET .*/threads$' })
  const result = failureOf(await gmailAt(simulator, {}, timeoutFor(order)).mailbox.threads({ limit: 5 }))
  expect(result).toMatchObject({ kind, isUncertain: false })
  expect(typeof result.retryAfter).toBe(order.kind === 'status' && order.status === 429 ? 'number' : 'undefined')
  expect(await mailbox.threads({ limit: 5 })).toMatchObject({ ok: true })
})

test.each(readFaults(rows).filter(([name]) => name !== '404'))('%s for one thread fails the whole list', async (_, order, { kind }) => {
  simulator.fault({ ...order, match: 'GET .*/threads/' })
  expect(failureOf(await gmailAt(simulator, {}, timeoutFor(order)).mailbox.threads({ limit: 20 }))).toMatchObject({ kind })
  // Stops after the first failure.
  if (order.kind === 'status') expect(simulator.calls()['GET threads/{id}']).toBeLessThan(20)
})

test('leaves out a thread that was deleted while it was being listed', async () => {
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

test.each(rows)('tries to send once on %s, and says whether the email may have been sent', async (_, order, expected) => {
  const before = simulator.mailbox().list().length
  simulator.fault({ ...order, match: 'messages/send' })
  expect(failureOf(await gmailAt(simulator, {}, timeoutFor(order)).mailbox.send(mail))).toMatchObject({
    kind: expected.kind,
    isUncertain: expected.uncertain,
  })
  expect(simulator.calls()['POST messages/send']).toBe(1)
  expect(simulator.mailbox().list()).toHaveLength(before + Number(expected.done))
})

test.each(readFaults(rows))('%s before sending means that the email was not sent', async (_, order) => {
  const before = simulator.mailbox().list().length
  simulator.fault({ ...order, match: 'sendAs' })
  const result = await gmailAt(simulator, {}, timeoutFor(order)).mailbox.send(mail)
  // Who signs it is not worth a refusal.
  const isSent = order.status === 400 || order.status === 404
  expect(result.ok || result.isUncertain).toBe(isSent)
  expect(simulator.mailbox().list()).toHaveLength(before + Number(isSent))
  expect(await mailbox.send(mail)).toMatchObject({ ok: true })
})

test('does not send a reply to a deleted email', async () => {
  const before = simulator.mailbox().list().length
  const answers = { messageId: 'abcdef', threadId: 'abcdef' }
  expect(failureOf(await mailbox.send({ ...mail, answers }))).toMatchObject({ kind: 'missing', isUncertain: false })
  expect(simulator.mailbox().list()).toHaveLength(before)
})

test('renews expired tokens once for all calls, and stores them before use', async () => {
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

test('renews a token that expired early once, and repeats the call, including a send', async () => {
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

test('asks to reconnect when a renewed token is refused', async () => {
  const { mailbox: open, kept } = gmailAt(simulator)
  simulator.fault({ kind: 'status', status: 401, times: 2, match: 'GET .*/labels$' })
  expect(failureOf(await open.folders())).toMatchObject({ kind: 'reconnect' })
  expect(kept).toHaveLength(1)
  expect(simulator.calls()).toMatchObject({ 'GET labels': 2, 'POST /token': 1 })
})

test('asks to reconnect when the person revoked access, and stores nothing', async () => {
  const { mailbox: open, kept } = gmailAt(simulator)
  simulator.revoke()
  expect(failureOf(await open.folders())).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(failureOf(await open.send(mail))).toMatchObject({ kind: 'reconnect', isUncertain: false })
  expect(kept).toEqual([])
})

test.each([
  ['500', { kind: 'status', status: 500 }, 'away'],
  ['429', { kind: 'status', status: 429 }, 'busy'],
  ['no answer', { kind: 'timeoutBefore' }, 'away'],
  ['a line that breaks', { kind: 'dropAfter' }, 'away'],
  ['an answer cut short', { kind: 'badJson' }, 'away'],
] as [string, Fault, string][])('tries to renew tokens once on %s, and recovers', async (_, order, kind) => {
  const { mailbox: open, kept } = gmailAt(simulator, { expiresAt: 0 }, timeoutFor(order) * 2)
  simulator.fault({ ...order, match: '/token' })
  expect(failureOf(await open.send(mail))).toMatchObject({ kind, isUncertain: false })
  expect(simulator.calls()).toEqual({ 'POST /token': 1 })
  expect(kept).toEqual([])
  expect(await open.folders()).toMatchObject({ ok: true })
  expect(kept).toHaveLength(1)
})

test('a wrong client secret does not end anyone’s connection', async () => {
  const { tokens } = gmailAt(simulator)
  const wrong = { ...client, clientSecret: 'other-secret', baseUrl: simulator.url, timeoutSeconds: 5 }
  const open = openGmail({ ...wrong, tokens: { ...tokens, expiresAt: 0 }, onTokens: async () => {} })
  expect(failureOf(await open.folders())).toMatchObject({ kind: 'refused' })
})

test('reports offline as unavailable, and a refused connection as not sent', async () => {
  simulator.setOffline(true)
  expect(failureOf(await mailbox.folders())).toMatchObject({ kind: 'away' })
  simulator.setOffline(false)
  const gone = await startGmailSimulator({ ...client, messages: 5 })
  const { mailbox: lost } = gmailAt(gone)
  const { mailbox: ended } = gmailAt(gone, { expiresAt: 0 })
  await gone.stop()
  for (const one of [lost, ended]) {
    expect(failureOf(await one.folders())).toMatchObject({ kind: 'away' })
    expect(failureOf(await one.send(mail))).toMatchObject({ kind: 'away', isUncertain: false })
  }
})
