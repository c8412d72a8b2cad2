import { describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import { cookiesOf, readResponse } from '../../../../test/responses.ts'
import { type Account, password, useServer } from '../../../../test/server.ts'
import { codeOf } from '../../../../test/totp.ts'
import { until } from '../../../../test/until.ts'

const origin = 'http://refyne.example'
const server = useServer({ APP_URL: origin, TRUST_PROXY: 'true' })

const post = (path: string, body: unknown, cookie?: string) => server.send('POST', `/api/${path}`, body, cookie)

async function addPasskey(account: Account, device = createAuthenticator({ origin }), name = 'Laptop') {
  const [status, options] = await readResponse(await post('account/passkeys/challenge', {}, account.cookie))
  expect(status).toBe(200)
  const added = await post('account/passkeys', { name, response: device.register(options) }, account.cookie)
  return { device, added, options }
}

/** A challenge in a new browser, or one with these cookies. */
async function ask(cookie = '') {
  const answer = await post('auth/passkey/challenge', {}, cookie || undefined)
  expect(answer.status).toBe(200)
  const options = (await answer.clone().json()) as { challenge: string }
  return { options, cookie: [cookie, cookiesOf(answer)].filter(Boolean).join('; ') }
}
const signIn = async (device: ReturnType<typeof createAuthenticator>) => {
  const { options, cookie } = await ask()
  return post('auth/passkey', { passkey: device.use(options) }, cookie)
}
const isIn = async (cookie: string) => (await server.send('GET', '/api/tags', undefined, cookie)).status === 200
const lastEntries = (id: string) =>
  server.rows<{ action: string; after: object }>(
    "select action, after from audit_log where kind = 'session' and (actor_id = $1 or after->>'email' = (select email from profiles where id = $1)) order by id desc limit 1",
    [id],
  )

describe('a passkey', () => {
  it('is added under a name, signs in alone, and is removed; its owner hears of both', async () => {
    const account = await server.account()
    const { device, added, options } = await addPasskey(account)
    expect(options).toMatchObject({
      rp: { id: 'refyne.example' },
      user: { name: account.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(await readResponse(added)).toMatchObject([200, { name: 'Laptop', lastUsedAt: null }])
    const entered = await signIn(device)
    expect(await readResponse(entered.clone())).toMatchObject([200, { email: account.email }])
    expect(await isIn(cookiesOf(entered))).toBe(true)
    expect(await lastEntries(account.id)).toEqual([{ action: 'signed-in', after: { with: 'Passkey' } }])
    const [, [mine]] = await readResponse(await server.send('GET', '/api/account/passkeys', undefined, account.cookie))
    expect(mine.lastUsedAt).not.toBeNull()
    expect((await server.send('DELETE', `/api/account/passkeys/${mine.id}`, undefined, account.cookie)).status).toBe(200)
    expect(await readResponse(await signIn(device))).toMatchObject([401, { code: 'INVALID_PASSKEY' }])
    const emails = await emailsTo(server, account.email, 2)
    const aboutAdded = emails.find(({ Subject }) => Subject?.includes('passkey was added'))
    expect(aboutAdded?.TextBody).toMatch(
      /ask an administrator to use “Reset two-factor” .* removes all passkeys, and set a new password with “Forgot/,
    )
    expect(emails.some(({ Subject }) => Subject?.includes('passkey was removed'))).toBe(true)
  })

  it('counts as both factors', async () => {
    const account = await server.account()
    const { device } = await addPasskey(account)
    await turnOnTwoFactor(account)
    expect(await readResponse(await signIn(device))).toMatchObject([200, { email: account.email }])
  })

  it('works once per challenge, and only in the browser that asked', async () => {
    const { device } = await addPasskey(await server.account())
    const { options, cookie } = await ask()
    const { cookie: another } = await ask()
    const refused = [401, { code: 'INVALID_PASSKEY' }]
    const passkey = device.use(options)
    expect(await readResponse(await post('auth/passkey', { passkey }, another))).toMatchObject(refused)
    expect(await readResponse(await post('auth/passkey', { passkey }))).toMatchObject(refused)
    expect((await post('auth/passkey', { passkey }, cookie)).status).toBe(200)
    expect(await readResponse(await post('auth/passkey', { passkey }, cookie))).toMatchObject(refused)
  })

  it.each([
    ['did not verify the person', { isVerified: false }],
    ['was used on another site', { origin: 'http://elsewhere.example' }],
    ['was made for another site', { rpId: 'elsewhere.example' }],
  ])('is neither added nor accepted if it %s', async (_what, bad) => {
    const good = { origin, isVerified: true, rpId: 'refyne.example' }
    const account = await server.account()
    const device = createAuthenticator({ ...good, ...bad })
    expect(await readResponse((await addPasskey(account, device)).added)).toMatchObject([409, { code: 'INVALID_PASSKEY' }])
    device.behave(good)
    expect((await addPasskey(account, device)).added.status).toBe(200)
    device.behave(bad)
    expect(await readResponse(await signIn(device))).toMatchObject([401, { code: 'INVALID_PASSKEY' }])
    device.behave(good)
    expect((await signIn(device)).status).toBe(200)
  })

  it('lets no one in without an entry in the audit log', async () => {
    const account = await server.account()
    const { device } = await addPasskey(account)
    await server.rows(`create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await server.rows(
      "create trigger refuse_entry before insert on audit_log for each row when (new.action = 'signed-in') execute function refuse_entry()",
    )
    const answer = await signIn(device)
    await server.rows('drop trigger refuse_entry on audit_log')
    expect([answer.status, await isIn(cookiesOf(answer))]).toEqual([500, false])
    expect(await server.rows('select 1 from sessions where user_id = $1', [account.id])).toHaveLength(1)
    expect((await signIn(device)).status).toBe(200)
  })

  it('is refused with the signature of another key, and when a copy of it falls behind', async () => {
    const { device } = await addPasskey(await server.account())
    const { options, cookie } = await ask()
    const passkey = { ...device.use(options), response: createAuthenticator({ origin }).use(options).response }
    expect((await post('auth/passkey', { passkey }, cookie)).status).toBe(401)
    expect((await signIn(device)).status).toBe(200)
    device.rewind()
    expect((await signIn(device)).status).toBe(401)
  })

  it('of a disabled account lets no one in', async () => {
    const account = await server.account()
    const { device } = await addPasskey(account)
    await (await server.as('admin')).people.update({ id: account.id, status: 'disabled' })
    expect(await readResponse(await signIn(device))).toMatchObject([403, { code: 'ACCOUNT_DISABLED' }])
  })

  it('can’t be added with a challenge of someone else, twice, or without a recent proof', async () => {
    const [account, other] = [await server.account(), await server.account()]
    const [, options] = await readResponse(await post('account/passkeys/challenge', {}, account.cookie))
    const response = createAuthenticator({ origin }).register(options)
    const add = (cookie: string) => post('account/passkeys', { name: 'Laptop', response }, cookie)
    expect((await add(other.cookie)).status).toBe(409)
    expect((await add(account.cookie)).status).toBe(200)
    expect((await add(account.cookie)).status).toBe(409)
    await server.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [account.id])
    expect(await readResponse(await post('account/passkeys/challenge', {}, account.cookie))).toMatchObject([
      403,
      { code: 'STEP_UP_REQUIRED' },
    ])
  })

  it('is limited to twenty for each person', async () => {
    const account = await server.account()
    for (let count = 0; count < 19; count++) expect((await addPasskey(account)).added.status).toBe(200)
    // Two pages begin before either has finished.
    const begin = async () => (await readResponse(await post('account/passkeys/challenge', {}, account.cookie)))[1]
    const begun = [await begin(), await begin()]
    const held = await server.hold('select 1 from profiles where id = $1 for no key update', [account.id])
    const added = Promise.all(
      begun.map(async (options) => {
        const response = createAuthenticator({ origin }).register(options)
        return readResponse(await post('account/passkeys', { name: 'Laptop', response }, account.cookie))
      }),
    )
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%"profiles"%'`
    await until(async () => (await server.rows(waiting)).length === 2)
    await held.release()
    const answers = await added
    expect(answers.map(([status, { code }]) => [status, code]).toSorted()).toEqual([
      [200, undefined],
      [409, 'TOO_MANY_PASSKEYS'],
    ])
    expect(await readResponse(await post('account/passkeys/challenge', {}, account.cookie))).toMatchObject([
      409,
      { code: 'TOO_MANY_PASSKEYS' },
    ])
  })
})

async function turnOnTwoFactor(account: Account): Promise<string> {
  const [, { secret }] = await readResponse(await post('account/two-factor', { password }, account.cookie))
  expect((await post('account/two-factor/confirmation', { code: codeOf(secret) }, account.cookie)).status).toBe(200)
  return secret
}

describe('invalid passkeys from one address', () => {
  it('are refused after sixty without another entry in the audit log; other addresses are not', async () => {
    const account = await server.account()
    const { device } = await addPasskey(account)
    const body = JSON.stringify({ passkey: createAuthenticator({ origin }).use({ challenge: 'bWFkZS11cA' }) })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.60' }
    const tryIt = () => server.request('/api/auth/passkey', { method: 'POST', headers, body })
    const entries = async () => (await server.rows("select 1 from audit_log where action = 'denied'")).length
    for (let count = 0; count < 60; count++) expect((await tryIt()).status).toBe(401)
    const before = await entries()
    expect(await readResponse(await tryIt())).toMatchObject([429, { code: 'TOO_MANY_REQUESTS' }])
    expect(await entries()).toBe(before)
    expect((await signIn(device)).status).toBe(200)
  })
})

describe('a passkey as the second factor', () => {
  const firstStep = async ({ email }: Account) => {
    const answer = await post('auth/sign-in', { email, password })
    expect(await readResponse(answer.clone())).toEqual([200, { secondStep: true }])
    return cookiesOf(answer)
  }

  it('replaces the code once; someone else’s does not', async () => {
    const account = await server.account()
    const { device } = await addPasskey(account)
    const { device: foreign } = await addPasskey(await server.account())
    await turnOnTwoFactor(account)
    const step = await ask(await firstStep(account))
    expect(await readResponse(await post('auth/second-step', { passkey: foreign.use(step.options) }, step.cookie))).toMatchObject([
      401,
      { code: 'INVALID_PASSKEY' },
    ])
    const again = await ask(step.cookie.split('; ')[0])
    const body = { passkey: device.use(again.options) }
    const entered = await post('auth/second-step', body, again.cookie)
    expect(await readResponse(entered.clone())).toMatchObject([200, { email: account.email }])
    expect(await isIn(cookiesOf(entered))).toBe(true)
    expect(await readResponse(await post('auth/second-step', body, again.cookie))).toMatchObject([410, { code: 'SIGN_IN_AGAIN' }])
    expect(await lastEntries(account.id)).toMatchObject([{ action: 'signed-in', after: { with: 'Passkey' } }])
  })

  it('needs the signed cookie of the first step, not only its name', async () => {
    const account = await server.account()
    const { device } = await addPasskey(account)
    await turnOnTwoFactor(account)
    const first = await firstStep(account)
    const forged = await ask(first.replace(/\.[^.]*$/, `.${'A'.repeat(43)}%3D`))
    expect((await post('auth/second-step', { passkey: device.use(forged.options) }, forged.cookie)).status).toBe(410)
    const step = await ask(first)
    expect((await post('auth/second-step', { passkey: device.use(step.options) }, step.cookie)).status).toBe(200)
  })

  it('confirms sensitive actions in place of the password, and only one’s own does', async () => {
    const account = await server.account({ role: 'admin' })
    const { device } = await addPasskey(account)
    const { device: foreign } = await addPasskey(await server.account())
    await server.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = $1", [account.id])
    const proof = async () => (await server.send('GET', '/api/auth/proof', undefined, account.cookie)).status
    for (const [own, wanted] of [
      [foreign, 403],
      [device, 200],
    ] as const) {
      const { options, cookie } = await ask(account.cookie)
      await post('auth/step-up', { passkey: own.use(options) }, cookie)
      expect(await proof()).toBe(wanted)
    }
  })

  it('is removed with the authenticator when an administrator resets them', async () => {
    const admin = await server.as('admin')
    const account = await server.account()
    const { device } = await addPasskey(account)
    expect((await admin.people.accounts()).find(({ id }) => id === account.id)).toMatchObject({ passkeys: 1, isLinked: false })
    expect(await admin.people.resetTwoFactor({ id: account.id })).toMatchObject({ passkeys: 0 })
    expect(await isIn(account.cookie)).toBe(false)
    expect((await signIn(device)).status).toBe(401)
  })

  it.each([{}, { code: '123456', passkey: { id: 'x' } }, { passkey: { id: 'not base64!' } }])('refuses %j', async (body) => {
    expect((await post('auth/second-step', body)).status).toBe(422)
  })
})
