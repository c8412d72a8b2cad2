import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { insertContacts } from '../../../../test/factories.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import { type Account, password, useServer } from '../../../../test/server.ts'
import { openStream } from '../../../../test/network/stream.ts'
import { codeOf } from '../../../../test/totp.ts'
import { until } from '../../../../test/until.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { needsProof } from '../../../kernel/access/proof-policy.ts'
import { purgeAttempts } from '../jobs.ts'
import { verifyPassword } from '../passwords.ts'

const readResponse = async (response: Response) => [response.status, await response.json().catch(() => null)] as const

describe.concurrent('idle sessions', () => {
  const server = useServer({ SESSION_IDLE_MINUTES: '20' })
  /** Moves the session back in time by this much. */
  const leaveFor = (id: string, minutes: number) =>
    server.rows("update sessions set seen_at = now() - $2 * interval '1 minute' where user_id = $1", [id, minutes])
  const ask = async (cookie: string) => (await server.send('GET', '/api/tags', undefined, cookie)).status
  const remainingLifetime = async (cookie: string) =>
    (await readResponse(await server.send('GET', '/api/auth/session', undefined, cookie)))[1].life

  it('end after the configured minutes, with their streams, for every call', async () => {
    const account = await server.account()
    await leaveFor(account.id, 19.95)
    const stream = await openStream(server.url, account.cookie)
    await stream.ended(10_000)
    await until(async () => (await ask(account.cookie)) === 401)
    expect(await readResponse(await server.send('GET', '/api/auth/session', undefined, account.cookie))).toMatchObject([
      200,
      { user: null, life: null },
    ])
    expect(await server.rows('select 1 from sessions where user_id = $1', [account.id])).toEqual([])
  })

  it('are not extended by automatic requests: queries, streams and session checks', async () => {
    const account = await server.account()
    await leaveFor(account.id, 10)
    const stream = await openStream(server.url, account.cookie)
    for (const path of ['/api/tags', '/api/auth/session', '/api/notifications/unread', '/api/tasks/counts']) {
      expect((await server.send('GET', path, undefined, account.cookie)).status).toBe(200)
    }
    stream.close()
    const { idleSeconds } = await remainingLifetime(account.cookie)
    expect(idleSeconds).toBeGreaterThan(9 * 60)
    expect(idleSeconds).toBeLessThanOrEqual(10 * 60)
  })

  it('are extended by reported activity, within the ten-hour limit', async () => {
    const account = await server.account()
    await leaveFor(account.id, 19)
    const { seconds } = await remainingLifetime(account.cookie)
    const [status, life] = await readResponse(await server.send('POST', '/api/auth/activity', {}, account.cookie))
    expect([status, life.idleSeconds]).toEqual([200, 20 * 60])
    expect(life.seconds).toBeLessThanOrEqual(seconds)
    expect(life.seconds).toBeGreaterThan(10 * 3600 - 60)
  })

  it('keep an open stream alive while there is activity', async () => {
    const account = await server.account()
    await leaveFor(account.id, 19.95)
    const stream = await openStream(server.url, account.cookie)
    await server.send('POST', '/api/auth/activity', {}, account.cookie)
    // Past the end that the stream had scheduled.
    await until(async () => (await remainingLifetime(account.cookie)).idleSeconds < 20 * 60 - 3)
    const tag = await (await server.as('admin')).tags.create({ name: randomUUID() })
    await stream.next((event) => event.id === tag.id)
    stream.close()
  })

  it('are not revived by activity once ended', async () => {
    const account = await server.account()
    await leaveFor(account.id, 21)
    await until(async () => (await server.send('POST', '/api/auth/activity', {}, account.cookie)).status === 401)
    expect(await ask(account.cookie)).toBe(401)
  })

  it('end after ten hours regardless of activity', async () => {
    const account = await server.account()
    const [row] = await server.rows<{ hours: number }>(
      'select extract(epoch from expires_at - created_at) / 3600 as hours from sessions where user_id = $1',
      [account.id],
    )
    expect(Number(row?.hours)).toBeCloseTo(10, 2)
    await server.rows("update sessions set expires_at = now() + interval '3 seconds' where user_id = $1", [account.id])
    expect((await readResponse(await server.send('POST', '/api/auth/activity', {}, account.cookie)))[1].idleSeconds).toBeLessThanOrEqual(3)
    await until(async () => (await ask(account.cookie)) === 401)
  })
})

describe('re-authentication', () => {
  const server = useServer({ TRUST_PROXY: 'true' })
  const wait = (id: string) => server.rows("update sessions set proven_at = now() - interval '5 minutes 1 second' where user_id = $1", [id])
  const stepUp = (account: Account, body: unknown) => server.send('POST', '/api/auth/step-up', body, account.cookie)
  /** One call per protected action, as an administrator, with its expected status once allowed. */
  const actions = async () => {
    const { id: accountId } = await server.account()
    const [id, sourceId] = await insertContacts(server, [{}, {}])
    return [
      ['PATCH', `/api/accounts/${accountId}`, { role: 'billing' }, 200],
      ['POST', `/api/accounts/${accountId}/two-factor-reset`, {}, 200],
      ['PUT', `/api/accounts/${accountId}/emergency-access`, { isOn: false }, 200],
      ['POST', `/api/accounts/${accountId}/sso-unlink`, {}, 200],
      ['POST', '/api/account/passkeys/challenge', {}, 200],
      ['DELETE', `/api/account/passkeys/${randomUUID()}`, undefined, 404],
      ['POST', '/api/invitations', { email: `${randomUUID()}@elsewhere.example`, role: 'billing' }, 200],
      ['POST', `/api/invitations/${randomUUID()}/resend`, {}, 404],
      ['POST', `/api/contacts/${id}/merge`, { sourceId, version: 1, sourceVersion: 1, choices: {} }, 200],
      ['POST', `/api/merges/${randomUUID()}/undo`, { decisions: {}, version: 1 }, 404],
      ['GET', '/api/contacts/export.csv', undefined, 200],
      ['POST', '/api/contacts/export.csv', undefined, 200],
      ['GET', `/api/imports/${randomUUID()}/errors.csv`, undefined, 404],
      ['GET', '/api/pos/receipts.csv', undefined, 200],
      ['GET', '/api/collections/outstanding.csv', undefined, 200],
      ['GET', '/api/reports.csv?report=leads', undefined, 200],
      ['GET', '/api/audit.csv', undefined, 200],
      ['GET', '/api/tasks.csv', undefined, 200],
      ['GET', '/api/appointments.csv', undefined, 200],
      ['GET', '/api/surgeries.csv', undefined, 200],
      ['GET', `/api/recalls.csv?id=${randomUUID()}`, undefined, 404],
      ['GET', `/api/campaigns/refused.csv?id=${randomUUID()}`, undefined, 404],
      ['GET', '/api/conversations.csv', undefined, 200],
      ['POST', '/api/api-keys', { name: 'Website', scopes: ['contacts:read'], days: 30 }, 200],
      ['GET', `/api/contacts/${id}/whole-record.zip`, undefined, 200],
      ['POST', `/api/contacts/${id}/photos.zip`, { photoIds: [randomUUID()], purpose: 'patient', reason: 'The patient moves' }, 422],
      ['PATCH', '/api/practice', { subtitle: 'Plastic surgery' }, 200],
      ['POST', '/api/webhooks', { url: 'no address', events: [] }, 422],
      ['PATCH', `/api/webhooks/${randomUUID()}`, { url: 'no address' }, 422],
      ['POST', `/api/webhooks/${randomUUID()}/secret`, {}, 404],
      ['PUT', '/api/retention/untouchedLeads', { isOn: false, days: 365 }, 200],
      ['POST', '/api/qbo/connect', {}, 409],
      ['POST', '/api/qbo/disconnect', {}, 200],
      ['POST', '/api/calendar-feed', {}, 200],
      ['POST', '/api/signing-keys', {}, 200],
      ['POST', `/api/signing-keys/${randomUUID()}/export`, { password: 'a-Long-enough-passphrase' }, 404],
      ['GET', '/api/auth/proof', undefined, 200],
    ] as const
  }

  it('is not required right after sign-in; five minutes later each protected action is refused until proven', async () => {
    const account = await server.account({ role: 'admin' })
    const list = await actions()
    expect(new Set(list.map(([, path]) => path.replace(/\?.*/, ''))).size).toBe(needsProof.size)
    await wait(account.id)
    for (const [method, path, body] of list) {
      expect([path, ...(await readResponse(await server.send(method, path, body, account.cookie)))]).toMatchObject([
        path,
        403,
        { code: 'STEP_UP_REQUIRED' },
      ])
    }
    expect(
      await server.rows("select 1 from audit_log where actor_id = $1 and action in ('denied', 'exported', 'changed')", [account.id]),
    ).toEqual([])
    expect((await server.send('GET', '/api/accounts', undefined, account.cookie)).status).toBe(200)
    expect((await stepUp(account, { password })).status).toBe(200)
    for (const [method, path, body, wanted] of list) {
      const answer = await server.send(method, path, body, account.cookie)
      expect([path, answer.status]).toEqual([path, wanted])
      await answer.text()
    }
  })

  it('is not mentioned to a role that lacks the permission', async () => {
    const account = await server.account({ role: 'provider' })
    await wait(account.id)
    expect(await readResponse(await server.send('GET', '/api/contacts/export.csv', undefined, account.cookie))).toMatchObject([
      403,
      { code: 'FORBIDDEN' },
    ])
  })

  it('is not satisfied by a wrong password, which is limited but ends nothing; each session proves itself', async () => {
    const account = await server.account({ role: 'admin' })
    const other = await server.newSession(account.email)
    await wait(account.id)
    for (let tries = 0; tries < 10; tries++) {
      expect(await readResponse(await stepUp(account, { password: 'not-the-password' }))).toMatchObject([
        401,
        { code: 'INVALID_CREDENTIALS' },
      ])
    }
    expect((await stepUp(account, { password })).status).toBe(429)
    expect((await server.send('GET', '/api/auth/proof', undefined, account.cookie)).status).toBe(403)
    await server.rows("delete from rate_limits where key like 'proof:%'")
    expect((await stepUp(account, { password })).status).toBe(200)
    expect((await server.send('GET', '/api/auth/proof', undefined, account.cookie)).status).toBe(200)
    expect((await server.send('GET', '/api/auth/proof', undefined, other)).status).toBe(403)
  })

  it('accepts an authenticator code once, and none from users without an authenticator', async () => {
    const account = await server.account({ role: 'admin' })
    expect((await stepUp(account, { code: '123456' })).status).toBe(401)
    const [, { secret }] = await readResponse(await server.send('POST', '/api/account/two-factor', { password }, account.cookie))
    // Setup is not complete: its code is not accepted yet.
    expect((await stepUp(account, { code: codeOf(secret, -1) })).status).toBe(401)
    const code = codeOf(secret)
    await server.send('POST', '/api/account/two-factor/confirmation', { code }, account.cookie)
    await wait(account.id)
    expect((await stepUp(account, { code })).status).toBe(401) // already used to turn it on
    expect((await stepUp(account, { code: codeOf(secret, 1) })).status).toBe(200)
    expect((await server.send('GET', '/api/auth/proof', undefined, account.cookie)).status).toBe(200)
  })

  it.each([{}, { password: 'one', code: '123456' }, { password: '' }])('does not accept %o as proof', async (body) => {
    const account = await server.account()
    expect((await stepUp(account, body)).status).toBe(422)
  })
})

describe('session cookies', () => {
  const server = useServer({ APP_URL: 'https://refyne.example' })

  it('are __Host-, Secure, HttpOnly and SameSite=Lax on an HTTPS URL', async () => {
    const { email } = await server.account()
    const answer = await server.send('POST', '/api/auth/sign-in', { email, password })
    const cookies = answer.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-/)
      for (const attribute of [/; Secure/, /; HttpOnly/, /; SameSite=Lax/, /; Path=\/(;|$)/]) expect(cookie).toMatch(attribute)
      expect(cookie).not.toMatch(/Domain=/i)
    }
    const session = cookies[0]?.split(';')[0] ?? ''
    expect((await server.send('GET', '/api/tags', undefined, session)).status).toBe(200)
    // Cookies that another subdomain could have set are ignored.
    expect((await server.send('GET', '/api/tags', undefined, session.replace('__Host-', ''))).status).toBe(401)
    expect((await server.send('GET', '/api/tags', undefined, session.replace('__Host-', '__Secure-'))).status).toBe(401)
  })
})

describe('password guessing', () => {
  const server = useServer({ TRUST_PROXY: 'true' })
  let callers = 0
  const signIn = (email: string, secret: string, from = `10.3.${Math.floor(++callers / 250)}.${callers % 250}`) =>
    fetch(`${server.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ email, password: secret }),
    })

  it('from many addresses at one account leaves each address one attempt and does not lock out the owner', async () => {
    const { email } = await server.account()
    for (let tries = 0; tries < 50; tries++) expect((await signIn(email, 'not-the-password')).status).toBe(401)
    const here = '10.4.0.1'
    expect((await signIn(email, 'not-the-password', here)).status).toBe(401)
    expect((await signIn(email, 'not-the-password', here)).status).toBe(429)
    expect((await signIn(email, password, '10.4.0.2')).status).toBe(200)
    expect((await signIn(email, password, '10.4.0.2')).status).toBe(200)
  })

  it('counts unknown addresses the same way', async () => {
    const email = `${randomUUID()}@clinic.example`
    const here = '10.4.0.3'
    const statuses = []
    for (let tries = 0; tries < 11; tries++) statuses.push((await signIn(email, 'not-the-password', here)).status)
    expect(statuses.slice(-2)).toEqual([401, 429])
  })
})

describe('purging expired data', () => {
  const server = useServer()
  it('deletes expired counters, one-time values and sessions, and keeps live ones', async () => {
    const { id } = await server.account()
    await server.rows(`insert into rate_limits (key, points, expire) values ('over', 1, 1), ('counts', 1, 9999999999999)`)
    await server.rows(
      `insert into verifications (identifier, value, expires_at) values ('over', '', now() - interval '2 days'), ('counts', '', now())`,
    )
    await server.rows(`insert into sessions (token, user_id, expires_at) values ('over', $1, now() - interval '1 minute')`, [id])
    await purgeAttempts.run(server.running.runtime as unknown as Scope, {}, { last: true })
    expect(await server.rows("select key from rate_limits where key in ('over', 'counts')")).toEqual([{ key: 'counts' }])
    expect(await server.rows('select identifier from verifications')).toEqual([{ identifier: 'counts' }])
    expect(await server.rows('select token from sessions where user_id = $1', [id])).toHaveLength(1)
  })
})

describe('abandoned accounts', () => {
  const server = useServer()

  it('are deleted a week after sign-up unless verified or reviewed by an administrator, each with an audit entry', async () => {
    const admin = await server.as('admin')
    const signUp = async () => {
      const email = `${randomUUID()}@elsewhere.example`
      const answer = await server.send('POST', '/api/auth/sign-up', { firstName: 'Ana', lastName: 'Silva', email, password })
      expect(answer.status).toBe(200)
      return email
    }
    const [forgotten, fresh, decided, verified] = [await signUp(), await signUp(), await signUp(), await signUp()]
    const old = "created_at = created_at - interval '8 days', updated_at = updated_at - interval '8 days'"
    await server.rows(`update profiles set ${old} where email in ($1, $2, $3)`, [forgotten, decided, verified])
    await server.rows('update profiles set email_verified = true where email = $1', [verified])
    const accounts = await admin.people.accounts()
    const idOf = (email: string) => accounts.find((account) => account.email === email)?.id ?? ''
    for (const status of ['active', 'pending'] as const) await admin.people.update({ id: idOf(decided), status })

    const origin = { requestId: 'job-1', address: null }
    await purgeAttempts.run({ ...server.running.runtime, actor: null, origin } as unknown as Scope, {}, { last: true })
    const left = await server.rows<{ email: string }>('select email from profiles where email like $1', ['%@elsewhere.example'])
    expect(left.map(({ email }) => email).toSorted()).toEqual([fresh, decided, verified].toSorted())
    const purged = await server.rows("select kind, actor_role, before from audit_log where action = 'deleted'")
    expect(purged).toMatchObject([{ kind: 'account', actor_role: 'system', before: { id: idOf(forgotten), email: forgotten } }])
  })
})

describe('timing of known and unknown addresses', () => {
  const server = useServer()
  /** Of half the cost of a real one: what waits in the queue has to outlast a few requests, not seconds. */
  const stored = hash(password, { memoryCost: 8_192, timeCost: 2 })
  const occupyQueue = async (count: number) => {
    const slow = await stored
    return { done: Promise.all(Array.from({ length: count }, () => verifyPassword(slow, password))) }
  }

  it('responds to a link request before looking up the address', async () => {
    const { email } = await server.account()
    const lock = await server.hold('lock table profiles in access exclusive mode')
    try {
      for (const path of ['password-reset', 'verification']) {
        for (const asked of [email, `${randomUUID()}@clinic.example`]) {
          expect([path, (await server.send('POST', `/api/auth/${path}`, { email: asked })).status]).toEqual([path, 200])
        }
      }
    } finally {
      await lock.release()
    }
    await emailsTo(server, email)
  })

  it('hashes a password for each sign-in and sign-up, known address or not', async () => {
    const { email } = await server.account()
    let isDone = false
    // Passwords are hashed one at a time in this process: an earlier response means that nothing was hashed.
    const { done } = await occupyQueue(80)
    const before = done.then(() => (isDone = true))
    const ask = async (path: string, body: unknown) => [(await server.send('POST', `/api/auth/${path}`, body)).status, isDone]
    const unknown = () => `${randomUUID()}@clinic.example`
    const wrong = { password: 'not-the-password' }
    const person = { firstName: 'Ana', lastName: 'Silva', password }
    const answers = await Promise.all([
      ask('sign-in', { email, ...wrong }),
      ask('sign-in', { email: unknown(), ...wrong }),
      ask('sign-up', { ...person, email }),
      ask('sign-up', { ...person, email: unknown() }),
    ])
    expect(answers).toEqual([
      [401, true],
      [401, true],
      [200, true],
      [200, true],
    ])
    await before
  })

  it('asks callers to retry while the password queue is full', async () => {
    const { email } = await server.account()
    const flood = await occupyQueue(150)
    expect((await server.send('POST', '/api/auth/sign-in', { email, password })).status).toBe(429)
    await flood.done
    expect((await server.send('POST', '/api/auth/sign-in', { email, password })).status).toBe(200)
  })
})
