import { describe, expect, inject, it } from 'vitest'
import { cookiesOf, readResponse } from '../../../../test/responses.ts'
import { type Account, password, startTestServer, type TestServer, useServer } from '../../../../test/server.ts'
import { openStream } from '../../../../test/network/stream.ts'
import { codeOf, wrongCode } from '../../../../test/totp.ts'

const server = useServer({ TRUST_PROXY: 'true' })

let callers = 0
const post = (path: string, body: unknown, cookie = '', at: TestServer = server) =>
  fetch(`${at.url}/api/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.2.${Math.floor(++callers / 250)}.${callers % 250}`,
      ...(cookie && { cookie }),
    },
    body: JSON.stringify(body),
  })

type Protected = Account & { secret: string; recoveryCodes: string[] }

/** An account with an authenticator whose current code is used up: the next code is that of the next half minute. */
async function protect(given: Parameters<TestServer['account']>[0] = {}, at = server): Promise<Protected> {
  const account = await at.account(given)
  const [status, begun] = await readResponse(await post('account/two-factor', { password }, account.cookie, at))
  expect(status).toBe(200)
  const confirmed = await post('account/two-factor/confirmation', { code: codeOf(begun.secret) }, account.cookie, at)
  const [confirmedStatus, { recoveryCodes }] = await readResponse(confirmed.clone())
  expect(confirmedStatus).toBe(200)
  return { ...account, secret: begun.secret, recoveryCodes }
}
const next = ({ secret }: Protected) => codeOf(secret, 1)

/** Cookie of a sign-in after the correct password. */
async function firstStep({ email }: Account, at = server): Promise<string> {
  const answer = await post('auth/sign-in', { email, password }, '', at)
  expect(await readResponse(answer.clone())).toEqual([200, { secondStep: true }])
  return cookiesOf(answer)
}
const secondStep = (body: Record<string, string>, cookie: string, at = server) => post('auth/second-step', body, cookie, at)
const isIn = async (cookie: string, at = server) => (await at.send('GET', '/api/tags', undefined, cookie)).status === 200

describe('turning on two-factor authentication', () => {
  it('needs the password and a first code, returns ten recovery codes, and signs out other browsers', async () => {
    const account = await server.account()
    const elsewhere = await server.newSession(account.email)
    const stream = await openStream(server.url, elsewhere)
    expect(await readResponse(await post('account/two-factor', { password: 'not-the-password' }, account.cookie))).toMatchObject([
      401,
      { code: 'INVALID_CREDENTIALS' },
    ])
    const [, { uri, secret }] = await readResponse(await post('account/two-factor', { password }, account.cookie))
    expect(new URL(uri)).toMatchObject({ protocol: 'otpauth:', host: 'totp' })
    expect(decodeURIComponent(uri)).toContain(account.email)
    expect(secret).toMatch(/^[A-Z2-7]{32,}$/)
    expect(await readResponse(await server.send('GET', '/api/account/two-factor', undefined, account.cookie))).toMatchObject([
      200,
      { isOn: false, recoveryCodesLeft: 0 },
    ])
    expect(await readResponse(await post('account/two-factor/confirmation', { code: wrongCode(secret) }, account.cookie))).toMatchObject([
      401,
      { code: 'INVALID_CODE' },
    ])
    // Setup has started but is not complete.
    expect(await readResponse(await post('auth/sign-in', { email: account.email, password }))).toMatchObject([200, { id: account.id }])

    const confirmed = await post('account/two-factor/confirmation', { code: codeOf(secret) }, account.cookie)
    const [status, { recoveryCodes }] = await readResponse(confirmed.clone())
    expect([status, new Set(recoveryCodes).size]).toEqual([200, 10])
    await stream.ended(5_000)
    const { cookie } = account
    expect([await isIn(cookie), await isIn(elsewhere)]).toEqual([true, false])
    expect(await readResponse(await server.send('GET', '/api/account/two-factor', undefined, cookie))).toMatchObject([
      200,
      { isOn: true, recoveryCodesLeft: 10 },
    ])
    const log = await server.rows("select after from audit_log where kind = 'account' and after->>'id' = $1", [account.id])
    expect(log).toEqual([{ after: { id: account.id, twoFactorEnabled: true } }])
    const stored = await server.rows('select secret, backup_codes from two_factors where user_id = $1', [account.id])
    for (const kept of [secret, ...recoveryCodes]) expect(JSON.stringify(stored)).not.toContain(kept)
  })

  it('invalidates the previous secret when restarted, and accepts a first code only once', async () => {
    const account = await server.account()
    const begin = async () => (await readResponse(await post('account/two-factor', { password }, account.cookie)))[1].secret as string
    const [first, second] = [await begin(), await begin()]
    const confirm = (code: string) => post('account/two-factor/confirmation', { code }, account.cookie)
    expect((await confirm(codeOf(first))).status).toBe(401)
    const answers = await Promise.all([confirm(codeOf(second)), confirm(codeOf(second))])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await post('auth/sign-in', { email: account.email, password })).status).toBe(200)
  })

  it('cannot be turned on twice, nor without starting', async () => {
    const account = await protect()
    expect(await readResponse(await post('account/two-factor', { password }, account.cookie))).toMatchObject([409, { code: 'ALREADY_ON' }])
    const other = await server.account()
    expect(await readResponse(await post('account/two-factor/confirmation', { code: '123456' }, other.cookie))).toMatchObject([
      409,
      { code: 'NOT_ON' },
    ])
  })
})

describe('signing in with two factors', () => {
  it('gives access after the code, not after the password alone', async () => {
    const account = await protect()
    const waiting = await firstStep(account)
    expect(await isIn(waiting)).toBe(false)
    const answer = await secondStep({ code: next(account) }, waiting)
    expect(await readResponse(answer.clone())).toMatchObject([200, { id: account.id, status: 'active' }])
    expect(await isIn(cookiesOf(answer))).toBe(true)
  })

  it('responds to a wrong password as for any account', async () => {
    const { email } = await protect()
    const plain = await server.account()
    const wrong = { password: 'not-the-password' }
    expect(await readResponse(await post('auth/sign-in', { email, ...wrong }))).toEqual(
      await readResponse(await post('auth/sign-in', { email: plain.email, ...wrong })),
    )
  })

  it('accepts a code once, even in simultaneous requests, and uses up the challenge', async () => {
    const account = await protect()
    const [one, two] = [await firstStep(account), await firstStep(account)]
    const code = next(account)
    const answers = await Promise.all([secondStep({ code }, one), secondStep({ code }, two)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const used = answers[0]?.status === 200 ? one : two
    expect(await readResponse(await secondStep({ recoveryCode: account.recoveryCodes[0]! }, used))).toMatchObject([
      410,
      { code: 'SIGN_IN_AGAIN' },
    ])
  })

  it('refuses a code older than the last one used (RFC 6238)', async () => {
    const account = await protect()
    await server.rows('update two_factors set last_step = null where user_id = $1', [account.id])
    expect((await secondStep({ code: next(account) }, await firstStep(account))).status).toBe(200)
    for (const steps of [0, -1])
      expect((await secondStep({ code: codeOf(account.secret, steps) }, await firstStep(account))).status).toBe(401)
    // The same applies to re-authentication.
    expect((await post('auth/step-up', { code: codeOf(account.secret) }, account.cookie)).status).toBe(401)
  })

  it('accepts each recovery code once and keeps the others valid', async () => {
    const account = await protect()
    const [first = '', second = ''] = account.recoveryCodes
    expect(account.recoveryCodes).toEqual(account.recoveryCodes.filter((code) => /^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/.test(code)))
    const asRead = ` ${first.toUpperCase().replace('-', ' ')} `
    const answer = await secondStep({ recoveryCode: asRead }, await firstStep(account))
    expect(answer.status).toBe(200)
    const cookie = cookiesOf(answer)
    expect(await readResponse(await server.send('GET', '/api/account/two-factor', undefined, cookie))).toMatchObject([
      200,
      { isOn: true, recoveryCodesLeft: 9 },
    ])
    expect(await readResponse(await secondStep({ recoveryCode: first }, await firstStep(account)))).toMatchObject([
      401,
      { code: 'INVALID_CODE' },
    ])
    const waiting = [await firstStep(account), await firstStep(account), await firstStep(account)]
    const statuses = await Promise.all(waiting.map(async (held) => (await secondStep({ recoveryCode: second }, held)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('ends the challenge after five wrong codes, and only delays the account after ten in a row', async () => {
    const account = await protect()
    const code = wrongCode(account.secret)
    for (let round = 0; round < 2; round++) {
      const waiting = await firstStep(account)
      const others = ['000001', '000002', '000003', '000004', '000005'].filter((other) => other !== code)
      const statuses = []
      for (const guess of [code, ...others.slice(0, 4)]) statuses.push((await secondStep({ recoveryCode: guess }, waiting)).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401])
      expect((await secondStep({ recoveryCode: account.recoveryCodes[0]! }, waiting)).status).toBe(410)
    }
    expect((await secondStep({ recoveryCode: account.recoveryCodes[0]! }, await firstStep(account))).status).toBe(410)
    await server.rows("update two_factors set locked_until = now() - interval '1 second' where user_id = $1", [account.id])
    expect((await secondStep({ recoveryCode: account.recoveryCodes[0]! }, await firstStep(account))).status).toBe(200)
  })

  it('requires a new sign-in without a challenge, with a forged one, or after ten minutes', async () => {
    const account = await protect()
    for (const cookie of ['', 'refyne.two_factor=made-up', 'refyne.two_factor=%', account.cookie]) {
      expect(await readResponse(await secondStep({ code: next(account) }, cookie))).toMatchObject([410, { code: 'SIGN_IN_AGAIN' }])
    }
    const waiting = await firstStep(account)
    await server.rows("update verifications set expires_at = now() - interval '1 second' where value = $1", [account.id])
    expect((await secondStep({ recoveryCode: account.recoveryCodes[0]! }, waiting)).status).toBe(410)
  })

  it('invalidates a challenge when the password changes', async () => {
    const account = await protect()
    const waiting = await firstStep(account)
    const changed = { password: 'another-Long-passphrase', currentPassword: password }
    expect((await post('auth/password', changed, account.cookie)).status).toBe(200)
    expect((await secondStep({ recoveryCode: account.recoveryCodes[0]! }, waiting)).status).toBe(410)
  })

  it("does not accept another user's code for a challenge, whatever session the browser has", async () => {
    const [victim, thief] = [await protect(), await protect()]
    const waiting = await firstStep(victim)
    expect((await secondStep({ code: next(thief) }, `${waiting}; ${thief.cookie}`)).status).toBe(401)
    expect((await secondStep({ recoveryCode: thief.recoveryCodes[0]! }, `${thief.cookie}; ${waiting}`)).status).toBe(401)
  })

  it('refuses an account that was disabled in the meantime', async () => {
    const account = await protect()
    const waiting = await firstStep(account)
    await server.rows("update profiles set status = 'disabled' where id = $1", [account.id])
    expect(await readResponse(await secondStep({ code: next(account) }, waiting))).toMatchObject([403, { code: 'ACCOUNT_DISABLED' }])
    expect(await server.rows('select 1 from sessions where user_id = $1 and created_at > now()', [account.id])).toEqual([])
    expect(await readResponse(await post('auth/sign-in', { email: account.email, password }))).toMatchObject([
      403,
      { code: 'ACCOUNT_DISABLED' },
    ])
  })

  it.each([{}, { code: '123456', recoveryCode: 'a' }, { code: '12345' }, { code: 'abcdef' }, { recoveryCode: '  ' }])(
    '%o is no second step',
    async (body) => expect((await secondStep(body as Record<string, string>, '')).status).toBe(422),
  )
})

describe('recovery codes and turning two-factor off', () => {
  it('replaces the recovery codes after the password', async () => {
    const account = await protect()
    expect((await post('account/two-factor/recovery-codes', { password: 'not-the-password' }, account.cookie)).status).toBe(401)
    const [status, { recoveryCodes }] = await readResponse(await post('account/two-factor/recovery-codes', { password }, account.cookie))
    expect([status, recoveryCodes.length]).toEqual([200, 10])
    expect((await secondStep({ recoveryCode: account.recoveryCodes[0]! }, await firstStep(account))).status).toBe(401)
    expect((await secondStep({ recoveryCode: recoveryCodes[0] }, await firstStep(account))).status).toBe(200)
  })

  it('turns two-factor off after the password: the next sign-in needs no code', async () => {
    const account = await protect()
    expect((await post('account/two-factor/removal', { password: 'not-the-password' }, account.cookie)).status).toBe(401)
    expect((await post('account/two-factor/removal', { password }, account.cookie)).status).toBe(200)
    expect(await readResponse(await post('auth/sign-in', { email: account.email, password }))).toMatchObject([200, { id: account.id }])
    expect((await post('account/two-factor/removal', { password }, account.cookie)).status).toBe(409)
    expect((await post('account/two-factor/recovery-codes', { password }, account.cookie)).status).toBe(409)
  })

  it('limits password guessing there as well', async () => {
    const account = await protect()
    const guess = async () => (await post('account/two-factor/removal', { password: 'not-the-password' }, account.cookie)).status
    for (let tries = 0; tries < 10; tries++) expect(await guess()).toBe(401)
    expect(await guess()).toBe(429)
  })

  it('lets an administrator reset it for a user who lost it; sessions end, and the audit log names the administrator', async () => {
    const account = await protect()
    const admin = await server.account({ role: 'admin' })
    const reset = await post(`accounts/${account.id}/two-factor-reset`, {}, admin.cookie)
    expect(await readResponse(reset)).toMatchObject([200, { twoFactorEnabled: false }])
    expect(await isIn(account.cookie)).toBe(false)
    expect(await readResponse(await post('auth/sign-in', { email: account.email, password }))).toMatchObject([200, { id: account.id }])
    expect(
      await server.rows("select actor_id, after from audit_log where kind = 'account' and after->>'id' = $1 order by id desc limit 1", [
        account.id,
      ]),
    ).toEqual([{ actor_id: admin.id, after: { id: account.id, twoFactorEnabled: false } }])
    expect(await server.rows('select 1 from two_factors where user_id = $1', [account.id])).toEqual([])
  })

  it('keeps the second factor after a password reset by email', async () => {
    const account = await protect()
    expect(await server.rows('select two_factor_enabled from profiles where id = $1', [account.id])).toEqual([{ two_factor_enabled: true }])
    const change = { password: 'another-Long-passphrase', currentPassword: password }
    expect((await post('auth/password', change, account.cookie)).status).toBe(200)
    expect(await readResponse(await post('auth/sign-in', { email: account.email, password: 'another-Long-passphrase' }))).toEqual([
      200,
      { secondStep: true },
    ])
  })
})

describe('rotating APP_SECRET', () => {
  it('keeps authenticators working while the old secret is configured', async () => {
    const before = await startTestServer(inject('postgres'), { TRUST_PROXY: 'true' })
    try {
      const account = await protect({}, before)
      const { env } = before.running.runtime
      const { createAuth } = await import('../service.ts')
      const auth = createAuth(before.running.runtime.db, {
        ...env,
        APP_SECRET: `another ${env.APP_SECRET}`,
        OLD_APP_SECRETS: [env.APP_SECRET],
      })
      const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId: account.id } })
      expect(backupCodes).toEqual(account.recoveryCodes)
    } finally {
      await before.stop()
    }
  })
})
