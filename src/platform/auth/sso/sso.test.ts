import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import {
  type IdentityProvider,
  oidcClientId,
  oidcClientSecret,
  type Person,
  signIdToken,
  startIdentityProvider,
} from '../../../../test/oidc.ts'
import { cookiesOf, readResponse } from '../../../../test/responses.ts'
import { password, startTestServer, type TestServer } from '../../../../test/server.ts'
import { codeOf } from '../../../../test/totp.ts'
import { until } from '../../../../test/until.ts'
import { setPassword } from '../passwords.ts'

const appUrl = 'http://refyne.example'
let provider: IdentityProvider
const servers: TestServer[] = []
/** Roles come from the accounts themselves. */
let server: TestServer
/** Roles come from groups. */
let grouped: TestServer

const start = async (settings: Record<string, string> = {}) => {
  const started = await startTestServer(inject('postgres'), {
    APP_URL: appUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: oidcClientId,
    OIDC_CLIENT_SECRET: oidcClientSecret,
    OIDC_NAME: 'Clinic ID',
    OIDC_DOMAINS: 'clinic.example',
    ...settings,
  })
  servers.push(started)
  return started
}

beforeAll(async () => {
  provider = await startIdentityProvider(`${appUrl}/auth/sso/callback`)
  server = await start()
  grouped = await start({ OIDC_ROLES: 'clinic-admins=admin,surgeons=provider,front-office=front_desk' })
})
afterAll(async () => {
  for (const started of servers) await started.stop()
  await provider.stop()
})

const newPerson = (given: Partial<Person> = {}): Person => {
  const sub = randomUUID()
  return { sub, email: `${sub}@clinic.example`, email_verified: true, given_name: 'Ana', family_name: 'Silva', ...given }
}

/** Starts a sign-in in a new browser: its cookie, and the provider's page. */
async function begin(at = server) {
  const answer = await at.send('POST', '/api/auth/sso', {})
  expect(answer.status).toBe(200)
  return { cookie: cookiesOf(answer), url: new URL(((await answer.json()) as { url: string }).url) }
}

/** Visits the provider as this person, whose browser it does not know, and returns the parameters of the callback. */
async function visit(person: Person | null, url: URL): Promise<Record<string, string>> {
  provider.person = person
  const jar = new Map<string, string>()
  let next = url
  for (let step = 0; step < 10; step++) {
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') } })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split(/=(.*)/)
      jar.set(name, value)
    }
    next = new URL(answer.headers.get('location') ?? '', next)
    if (next.origin === appUrl) return Object.fromEntries(next.searchParams)
  }
  throw new Error('The provider did not return')
}

const pick = ({ code = '', state = '', iss }: Record<string, string>) => ({ code, state, ...(iss && { iss }) })
const finish = (callback: Record<string, string>, cookie: string, at = server) =>
  at.send('POST', '/api/auth/sso/callback', pick(callback), cookie)

/** The whole sign-in. */
async function signInAs(person: Person, at = server) {
  const { cookie, url } = await begin(at)
  const answer = await finish(await visit(person, url), cookie, at)
  return { answer, cookie: cookiesOf(answer) }
}
const outcome = async (person: Person, at = server) => {
  const [status, body] = await readResponse((await signInAs(person, at)).answer)
  return [status, status === 200 ? body.email : body.code]
}
const isIn = async (cookie: string, at = server) => (await at.send('GET', '/api/tags', undefined, cookie)).status === 200
const profileOf = async (email: unknown, at = server) =>
  (await at.rows<{ id: string; role: string; status: string }>('select id, role, status from profiles where email = $1', [email]))[0]
const auditOf = (id: string | undefined, at = server) =>
  at.rows<{ action: string; after: Record<string, unknown> }>(
    "select action, after from audit_log where kind in ('account', 'session') and (actor_id = $1 or after->>'id' = $1::text) order by id",
    [id],
  )

describe('single sign-on', () => {
  it('creates an active account for a verified address of the domain, and a session that ends like every other', async () => {
    const person = newPerson()
    const { answer, cookie } = await signInAs(person)
    expect(await readResponse(answer)).toMatchObject([
      200,
      { email: person.email, firstName: 'Ana', lastName: 'Silva', role: 'front_desk', status: 'active' },
    ])
    expect(await isIn(cookie)).toBe(true)
    const { id } = (await profileOf(person.email))!
    expect(await auditOf(id)).toMatchObject([
      { action: 'created', after: { role: 'front_desk' } },
      { action: 'signed-in', after: { with: 'Single sign-on' } },
    ])
    expect((await server.send('POST', '/api/auth/sign-out', {}, cookie)).status).toBe(200)
    expect(await isIn(cookie)).toBe(false)
  })

  it('sends the person to the provider with PKCE, state and nonce, none of which is the cookie', async () => {
    const { cookie, url } = await begin()
    expect(url.origin).toBe(provider.issuer)
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    expect(url.searchParams.get('redirect_uri')).toBe(`${appUrl}/auth/sso/callback`)
    const secret = cookie.slice(cookie.indexOf('=') + 1)
    for (const name of ['code_challenge', 'state', 'nonce']) {
      expect([name, url.searchParams.get(name)]).not.toEqual([name, null])
      expect(url.href).not.toContain(secret)
    }
  })

  it('links an existing account by its verified address once, tells its owner, and keeps its role', async () => {
    const { id, email } = await server.account({ role: 'billing' })
    const person = newPerson({ email: email.toUpperCase() })
    expect(await outcome(person)).toEqual([200, email])
    expect(await profileOf(email)).toEqual({ id, role: 'billing', status: 'active' })
    expect((await emailsTo(server, email))[0]?.Subject).toContain('Clinic ID was linked to your account')
    // From then on the subject counts, whatever the address is.
    expect(await outcome({ ...person, email: `${randomUUID()}@clinic.example` })).toEqual([200, email])
    expect((await emailsTo(server, email)).filter(({ Subject }) => Subject?.includes('linked'))).toHaveLength(1)
  })

  it('does not give a linked account to another subject with the same address', async () => {
    const person = newPerson()
    expect(await outcome(person)).toEqual([200, person.email])
    expect(await outcome({ ...person, sub: randomUUID() })).toEqual([403, 'OTHER_IDENTITY'])
    expect(await outcome(person)).toEqual([200, person.email])
  })

  it('refuses an address of a foreign domain, without storing it', async () => {
    const person = newPerson({ email: `${randomUUID()}@elsewhere.example` })
    expect(await outcome(person)).toEqual([403, 'NO_ACCOUNT'])
    expect(await profileOf(person.email)).toBeUndefined()
    expect(await server.rows('select 1 from audit_log where after::text like $1', [`%${String(person.email)}%`])).toEqual([])
  })

  it('lets in someone of a foreign domain who was invited, with the role of the invitation, once', async () => {
    const email = `${randomUUID()}@elsewhere.example`
    await (await server.as('admin')).people.invite({ email, role: 'provider' })
    expect(await outcome(newPerson({ email }))).toEqual([200, email])
    expect(await profileOf(email)).toMatchObject({ role: 'provider', status: 'active' })
    expect(await server.rows('select 1 from invitations where email = $1', [email])).toEqual([])
  })

  it('keeps a disabled account out, also under a new subject, and records it', async () => {
    const person = newPerson()
    const { cookie } = await signInAs(person)
    const { id } = (await profileOf(person.email))!
    await (await server.as('admin')).people.update({ id, status: 'disabled' })
    expect(await isIn(cookie)).toBe(false)
    expect(await outcome(person)).toEqual([403, 'ACCOUNT_DISABLED'])
    expect(await outcome({ ...person, sub: randomUUID() })).toEqual([403, 'ACCOUNT_DISABLED'])
    expect(
      await server.rows("select after->>'reason' as reason from audit_log where action = 'denied' and after->>'email' = $1", [
        person.email,
      ]),
    ).toEqual([{ reason: 'The account is disabled' }, { reason: 'The account is disabled' }])
  })

  it.each([
    ['an unverified address', { email_verified: false }],
    ['an address that nothing is said about', { email_verified: undefined }],
    ['an address that Entra calls unverified', { email_verified: undefined, xms_edov: false }],
    ['no address', { email: undefined }],
    ['what is no address', { email: 'ana' }],
  ])('refuses %s', async (_what, claims) => {
    expect(await outcome(newPerson(claims))).toEqual([403, 'PROVIDER_EMAIL_NOT_VERIFIED'])
  })

  it('accepts Entra’s verified domain in place of email_verified, and not against it', async () => {
    const person = newPerson({ email_verified: undefined, xms_edov: true })
    expect(await outcome(person)).toEqual([200, person.email])
    expect(await outcome(newPerson({ email_verified: false, xms_edov: true }))).toEqual([403, 'PROVIDER_EMAIL_NOT_VERIFIED'])
  })

  it('replaces the password of someone who signed up under the address without proving that it is theirs', async () => {
    const email = `${randomUUID()}@clinic.example`
    const unverified = { firstName: 'Mallory', lastName: 'Unverified', email, password }
    expect((await server.send('POST', '/api/auth/sign-up', unverified)).status).toBe(200)
    expect(await outcome(newPerson({ email }))).toEqual([200, email])
    expect(await server.rows('select first_name from profiles where email = $1', [email])).toEqual([{ first_name: 'Ana' }])
    expect((await server.send('POST', '/api/auth/sign-in', { email, password })).status).toBe(401)
  })

  it('asks for the second factor of the account unless the provider asked for one', async () => {
    const account = await server.account()
    const [, { secret }] = await readResponse(await server.send('POST', '/api/account/two-factor', { password }, account.cookie))
    await server.send('POST', '/api/account/two-factor/confirmation', { code: codeOf(secret) }, account.cookie)
    const person = newPerson({ email: account.email })
    const { answer, cookie } = await signInAs(person)
    expect(await readResponse(answer)).toEqual([200, { secondStep: true }])
    expect(await isIn(cookie)).toBe(false)
    const second = await server.send('POST', '/api/auth/second-step', { code: codeOf(secret, 1) }, cookie)
    expect(await readResponse(second)).toMatchObject([200, { email: account.email }])
    expect(await isIn(cookiesOf(second))).toBe(true)
    provider.spoil = (claims) => signIdToken({ ...claims, amr: ['pwd', 'mfa'] })
    expect(await outcome(person)).toEqual([200, account.email])
  })
})

describe('a callback', () => {
  it('works once: its state and its code', async () => {
    const { cookie, url } = await begin()
    const callback = await visit(newPerson(), url)
    expect((await finish(callback, cookie)).status).toBe(200)
    expect(await readResponse(await finish(callback, cookie))).toMatchObject([410, { code: 'SIGN_IN_AGAIN' }])
    // The same code with a state that is still open.
    const other = await begin()
    const replayed = await finish({ ...callback, state: other.url.searchParams.get('state')! }, other.cookie)
    expect(await readResponse(replayed)).toMatchObject([401, { code: 'SIGN_IN_REFUSED' }])
  })

  it('works only in the browser that started it', async () => {
    const { url } = await begin()
    const { cookie } = await begin()
    const callback = await visit(newPerson(), url)
    for (const sent of [cookie, '']) {
      expect(await readResponse(await finish(callback, sent))).toMatchObject([410, { code: 'SIGN_IN_AGAIN' }])
    }
  })

  it('is refused with a state that no one started, and after ten minutes', async () => {
    const { cookie, url } = await begin()
    const callback = await visit(newPerson(), url)
    expect((await finish({ ...callback, state: 'made-up' }, cookie)).status).toBe(410)
    await server.rows("update oauth_attempts set expires_at = now() - interval '1 second'")
    expect((await finish(callback, cookie)).status).toBe(410)
  })

  it('is refused with a code that the provider did not issue', async () => {
    const { cookie, url } = await begin()
    const callback = await visit(newPerson(), url)
    expect(await readResponse(await finish({ ...callback, code: 'made-up' }, cookie))).toMatchObject([401, { code: 'SIGN_IN_REFUSED' }])
  })

  it('is refused with a code that has expired', async () => {
    provider.areCodesExpired = true
    const answer = await outcome(newPerson()).finally(() => (provider.areCodesExpired = false))
    expect(answer).toEqual([401, 'SIGN_IN_REFUSED'])
  })

  it('is refused with the name of another provider', async () => {
    const { cookie, url } = await begin()
    const callback = await visit(newPerson(), url)
    expect((await finish({ ...callback, iss: 'https://elsewhere.example' }, cookie)).status).toBe(401)
  })

  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  it.each<[string, (claims: Record<string, unknown>) => string]>([
    ['nonce', (claims) => signIdToken({ ...claims, nonce: 'another' })],
    ['missing nonce', ({ nonce: _nonce, ...claims }) => signIdToken(claims)],
    ['audience', (claims) => signIdToken({ ...claims, aud: 'another-client' })],
    ['issuer', (claims) => signIdToken({ ...claims, iss: 'https://elsewhere.example' })],
    ['expiry', (claims) => signIdToken({ ...claims, iat: 1_600_000_000, exp: 1_600_000_600 })],
    ['signature', (claims) => signIdToken(claims, otherKey)],
  ])('is refused when the ID token has a wrong %s', async (_what, spoil) => {
    const person = newPerson()
    provider.spoil = spoil
    expect(await outcome(person)).toEqual([401, 'SIGN_IN_REFUSED'])
    expect(await profileOf(person.email)).toBeUndefined()
  })

  it.each([{}, { code: 'x' }, { code: 'x', state: '' }, { code: 'x', state: 'y', extra: 1 }, { code: 'a\u0000b', state: 'y' }])(
    'names what is wrong with %o',
    async (body) => {
      const answer = await server.send('POST', '/api/auth/sso/callback', body)
      expect((await readResponse(answer))[0]).toBe(422)
    },
  )
})

describe('confirming a sensitive action at the provider', () => {
  const proof = async (cookie: string) => (await server.send('GET', '/api/auth/proof', undefined, cookie)).status
  const wait = (email: unknown) =>
    server.rows("update sessions set proven_at = now() - interval '6 minutes' where user_id = (select id from profiles where email = $1)", [
      email,
    ])
  /** Confirms as a person at the provider, in the browser with this session. */
  async function confirm(person: Person, cookie: string) {
    const answer = await server.send('POST', '/api/auth/sso/proof', {}, cookie)
    const url = new URL(((await answer.json()) as { url: string }).url)
    return { url, answer: await finish(await visit(person, url), `${cookie}; ${cookiesOf(answer)}`) }
  }

  it('counts as a password, asks even someone who is signed in there, and opens no session', async () => {
    const person = newPerson()
    const { cookie } = await signInAs(person)
    await wait(person.email)
    expect(await proof(cookie)).toBe(403)
    const { url, answer } = await confirm(person, cookie)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
    expect(await readResponse(answer)).toEqual([200, { isProven: true }])
    expect(answer.headers.getSetCookie().join()).not.toContain('session_token')
    expect(await proof(cookie)).toBe(200)
  })

  it('is refused for another person, and for a sign-in there that is not recent', async () => {
    const person = newPerson()
    const { cookie } = await signInAs(person)
    await wait(person.email)
    const other = newPerson()
    await signInAs(other)
    expect(await readResponse((await confirm(other, cookie)).answer)).toMatchObject([403, { code: 'NOT_YOU' }])
    provider.spoil = (claims) => signIdToken({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 })
    expect(await readResponse((await confirm(person, cookie)).answer)).toMatchObject([401, { code: 'SIGN_IN_REFUSED' }])
    expect(await proof(cookie)).toBe(403)
  })

  it('is needed at once by someone who can confirm otherwise if the provider does not say when they signed in', async () => {
    const person = newPerson()
    const silently = async () => {
      provider.spoil = ({ auth_time: _unknown, ...claims }) => signIdToken(claims)
      return proof((await signInAs(person)).cookie)
    }
    expect(await silently()).toBe(200)
    await setPassword(server.running.runtime.db, (await profileOf(person.email))!.id, password)
    expect(await silently()).toBe(403)
  })

  it('never comes from a sign-in that could not be recorded', async () => {
    await server.rows(`create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await server.rows(
      "create trigger refuse_entry before insert on audit_log for each row when (new.action = 'signed-in') execute function refuse_entry()",
    )
    const { answer, cookie } = await signInAs(newPerson())
    await server.rows('drop trigger refuse_entry on audit_log')
    expect([answer.status, await isIn(cookie)]).toEqual([500, false])
  })

  it('is needed at once by a session that began long after the sign-in at the provider', async () => {
    const person = newPerson()
    provider.spoil = (claims) => signIdToken({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 600 })
    const { cookie } = await signInAs(person)
    expect([await isIn(cookie), await proof(cookie)]).toEqual([true, 403])
  })
})

describe('roles by groups', () => {
  it('are those of the first group listed, at each sign-in, and end the other sessions', async () => {
    const person = newPerson({ groups: ['front-office', 'surgeons'] })
    const first = await signInAs(person, grouped)
    expect(await profileOf(person.email, grouped)).toMatchObject({ role: 'provider' })
    const again = await signInAs({ ...person, groups: ['front-office'] }, grouped)
    expect(await readResponse(again.answer)).toMatchObject([200, { role: 'front_desk' }])
    expect([await isIn(first.cookie, grouped), await isIn(again.cookie, grouped)]).toEqual([false, true])
    expect((await emailsTo(grouped, String(person.email)))[0]?.TextBody).toContain('from Provider to Front desk')
    const { id } = (await profileOf(person.email, grouped))!
    expect(await auditOf(id, grouped)).toContainEqual(
      expect.objectContaining({ action: 'changed', after: { id, role: 'front_desk', because: 'Groups at the sign-in provider' } }),
    )
  })

  it('are read from app roles too', async () => {
    const person = newPerson({ roles: ['surgeons'] })
    expect(await outcome(person, grouped)).toEqual([200, person.email])
    expect(await profileOf(person.email, grouped)).toMatchObject({ role: 'provider' })
  })

  it('keep out who is in none of them, also later', async () => {
    const person = newPerson({ groups: ['accounting'] })
    expect(await outcome(person, grouped)).toEqual([403, 'NO_ROLE'])
    expect(await profileOf(person.email, grouped)).toBeUndefined()
    expect(await outcome({ ...person, groups: ['surgeons'] }, grouped)).toEqual([200, person.email])
    expect(await outcome(person, grouped)).toEqual([403, 'NO_ROLE'])
  })

  it('never demote the last administrator', async () => {
    const person = newPerson({ groups: ['clinic-admins'] })
    expect(await outcome(person, grouped)).toEqual([200, person.email])
    expect(await outcome({ ...person, groups: ['front-office'] }, grouped)).toEqual([200, person.email])
    expect(await profileOf(person.email, grouped)).toMatchObject({ role: 'admin' })
    await grouped.account({ role: 'admin' })
    expect(await outcome({ ...person, groups: ['front-office'] }, grouped)).toEqual([200, person.email])
    expect(await profileOf(person.email, grouped)).toMatchObject({ role: 'front_desk' })
  })
})

describe('a provider that is away', () => {
  it('is a state that the sign-in page can show, before and after the provider’s page, and ends by itself', async () => {
    const own = await startIdentityProvider(`${appUrl}/auth/sso/callback`)
    const away = await start({ OIDC_ISSUER: own.issuer, OIDC_TIMEOUT_SECONDS: '2' })
    const { cookie, url } = await begin(away)
    const port = Number(new URL(own.issuer).port)
    await own.stop()
    const unavailable = [503, { code: 'PROVIDER_UNAVAILABLE' }]
    const callback = { code: 'x', state: url.searchParams.get('state')!, iss: own.issuer }
    expect(await readResponse(await finish(callback, cookie, away))).toMatchObject(unavailable)
    const other = await start({ OIDC_ISSUER: own.issuer, OIDC_TIMEOUT_SECONDS: '2' })
    expect(await readResponse(await other.send('POST', '/api/auth/sso', {}))).toMatchObject(unavailable)
    const back = await startIdentityProvider(`${appUrl}/auth/sso/callback`, port)
    expect((await other.send('POST', '/api/auth/sso', {})).status).toBe(200)
    await back.stop()
  })

  it('is reported to administrators, with what to correct if it refuses the client', async () => {
    const wrong = await start({ OIDC_CLIENT_SECRET: 'expired-at-the-provider' })
    const stateOf = async () => (await (await wrong.as('admin')).system.status()).systems.find(({ vendor }) => vendor === 'oidc')
    expect(await outcome(newPerson(), wrong)).toEqual([503, 'PROVIDER_UNAVAILABLE'])
    expect(await stateOf()).toMatchObject({ state: 'failing', failure: 'credentials' })
    const logged = (await (await wrong.as('admin')).system.status()).failures.map(({ message }) => message)
    expect(logged).toContain('The sign-in provider is not available')
  })

  it('does not keep anyone from signing in with a password', async () => {
    const other = await start({ OIDC_ISSUER: 'http://127.0.0.1:1' })
    expect(await readResponse(await other.send('POST', '/api/auth/sso', {}))).toMatchObject([503, { code: 'PROVIDER_UNAVAILABLE' }])
    expect((await other.account()).cookie).not.toBe('')
  })
})

describe('without settings', () => {
  it('single sign-on does not exist', async () => {
    const plain = await start({ OIDC_ISSUER: '' })
    expect(await readResponse(await plain.send('POST', '/api/auth/sso', {}))).toMatchObject([409, { code: 'NOT_SET_UP' }])
    const [, session] = await readResponse(await plain.request('/api/auth/session'))
    expect(session.practice.sso).toBeNull()
  })
})

describe('where single sign-on is required', () => {
  let only: TestServer
  let callers = 0
  beforeAll(async () => {
    only = await start({ OIDC_ONLY: 'true', OIDC_ROLES: 'clinic-admins=admin,front-office=front_desk', TRUST_PROXY: 'true' })
  })

  const post = async (path: string, body: unknown, cookie = '') =>
    fetch(`${only.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.9.0.${++callers}`, ...(cookie && { cookie }) },
      body: JSON.stringify(body),
    })
  const withPassword = async (email: string, secret = password) => {
    const [status, body] = await readResponse(await post('auth/sign-in', { email, password: secret }))
    return status === 200 ? ('secondStep' in body ? 'second step' : 'in') : body.code
  }
  /** An account as it is before single sign-on is required, with a password and a second factor. */
  const makeAccount = async (role: 'admin' | 'billing' = 'admin', hasSecondFactor = true) => {
    const person = newPerson({ groups: [role === 'admin' ? 'clinic-admins' : 'front-office'] })
    const { cookie } = await signInAs(person, only)
    const { id } = (await profileOf(person.email, only))!
    const email = String(person.email)
    await setPassword(only.running.runtime.db, id, password)
    if (!hasSecondFactor) return { id, email, cookie, person, secret: '' }
    const [, { secret }] = await readResponse(await post('account/two-factor', { password }, cookie))
    expect((await post('account/two-factor/confirmation', { code: codeOf(secret) }, cookie)).status).toBe(200)
    return { id, email, cookie, person, secret }
  }
  const mark = (id: string, isOn: boolean, cookie: string) => only.send('PUT', `/api/accounts/${id}/emergency-access`, { isOn }, cookie)

  it('lets administrators alone use passwords until one has emergency access, and then only that one', async () => {
    // The first account: while none has emergency access, an administrator's password works.
    const first = await only.account({ role: 'admin' })
    const [one, other, colleague] = [await makeAccount(), await makeAccount(), await makeAccount('billing', false)]
    expect(await withPassword(other.email)).toBe('second step')
    expect(await withPassword(colleague.email)).toBe('SSO_REQUIRED')
    expect(await readResponse(await mark(first.id, true, one.cookie))).toMatchObject([409, { code: 'NOT_ELIGIBLE' }])
    expect(await readResponse(await mark(one.id, true, one.cookie))).toMatchObject([200, { emergencyAccess: true }])
    expect(await withPassword(one.email)).toBe('second step')
    for (const { email } of [first, other, colleague]) {
      expect(await withPassword(email)).toBe('SSO_REQUIRED')
      expect(await withPassword(email, 'not-the-password')).toBe('INVALID_CREDENTIALS')
    }
    expect(await withPassword(`${randomUUID()}@clinic.example`)).toBe('INVALID_CREDENTIALS')
  })

  it('records each use of emergency access and notifies every administrator; a sign-in through the provider is none', async () => {
    const [one, other] = [await makeAccount(), await makeAccount()]
    expect((await mark(one.id, true, one.cookie)).status).toBe(200)
    const sso = await signInAs(one.person, only)
    expect(await readResponse(sso.answer)).toEqual([200, { secondStep: true }])
    await only.rows('update two_factors set last_step = null where user_id = $1', [one.id])
    expect((await post('auth/second-step', { code: codeOf(one.secret) }, sso.cookie)).status).toBe(200)
    const begun = await post('auth/sign-in', { email: one.email, password })
    expect((await post('auth/second-step', { code: codeOf(one.secret, 1) }, cookiesOf(begun))).status).toBe(200)
    const signIns = (await auditOf(one.id, only)).filter(({ action }) => action === 'signed-in').map(({ after }) => after)
    expect(signIns).toEqual([{ with: 'Single sign-on' }, { with: 'Authenticator' }, { with: 'Authenticator', emergencyAccess: true }])
    for (const { email } of [one, other]) {
      const notices = async () => (await emailsTo(only, email)).filter(({ Subject }) => Subject?.includes('emergency access'))
      await until(async () => (await notices()).length > 0)
      expect(await notices()).toHaveLength(1)
    }
  })

  it('accepts passkeys of emergency access only', async () => {
    const [one, other] = [await makeAccount(), await makeAccount()]
    expect((await mark(one.id, true, one.cookie)).status).toBe(200)
    for (const [{ cookie, email }, wanted] of [
      [one, 200],
      [other, 403],
    ] as const) {
      const device = createAuthenticator({ origin: appUrl })
      const [, created] = await readResponse(await post('account/passkeys/challenge', {}, cookie))
      expect((await post('account/passkeys', { name: 'Laptop', response: device.register(created) }, cookie)).status).toBe(200)
      const asked = await post('auth/passkey/challenge', {})
      const browser = cookiesOf(asked)
      const answer = await post('auth/passkey', { passkey: device.use(await asked.json()) }, browser)
      expect([email, answer.status]).toEqual([email, wanted])
      const added = await until(() =>
        only.outbox.messages.find(({ To, Subject }) => To?.includes(email) && Subject?.includes('passkey was added')),
      )
      expect(added.TextBody).toContain('removes all passkeys, and change your password at Clinic ID.')
    }
  })

  it('keeps the last emergency access: it is not unmarked, demoted, disabled, or left without a second factor', async () => {
    await only.rows('update profiles set emergency_access = false')
    const [one, other] = [await makeAccount(), await makeAccount()]
    expect((await mark(one.id, true, one.cookie)).status).toBe(200)
    const last = [409, { code: 'LAST_EMERGENCY' }]
    const attempts = () =>
      Promise.all([
        mark(one.id, false, other.cookie),
        only.send('PATCH', `/api/accounts/${one.id}`, { role: 'billing' }, other.cookie),
        only.send('PATCH', `/api/accounts/${one.id}`, { status: 'disabled' }, other.cookie),
        only.send('POST', `/api/accounts/${one.id}/two-factor-reset`, {}, other.cookie),
        only.send('POST', '/api/account/two-factor/removal', { password }, one.cookie),
      ])
    for (const answer of await attempts()) expect([answer.url, ...(await readResponse(answer))]).toMatchObject([answer.url, ...last])
    provider.spoil = (claims) => signIdToken({ ...claims, amr: ['mfa'] })
    expect(await outcome({ ...one.person, groups: ['front-office'] }, only)).toEqual([200, one.email])
    expect(await profileOf(one.email, only)).toMatchObject({ role: 'admin' })
    expect((await mark(other.id, true, other.cookie)).status).toBe(200)
    expect((await mark(one.id, false, other.cookie)).status).toBe(200)
  })

  it('creates no accounts with passwords, and mails no links that set one', async () => {
    const person = { firstName: 'Ana', lastName: 'Silva', password }
    const refused = [403, { code: 'SSO_REQUIRED' }]
    expect(await readResponse(await post('auth/sign-up', { ...person, email: 'ana@clinic.example' }))).toMatchObject(refused)
    expect(await readResponse(await post('auth/invitations/made-up/acceptance', person))).toMatchObject(refused)
    const [admin, colleague] = [await makeAccount(), await makeAccount('billing', false)]
    await mark(admin.id, true, admin.cookie)
    for (const { email } of [colleague, admin]) expect((await post('auth/password-reset', { email })).status).toBe(200)
    // Jobs run in order: the second mail proves that the first one was not sent.
    await until(async () => (await emailsTo(only, admin.email)).some(({ Subject }) => Subject?.includes('Reset your password')))
    expect(only.outbox.messages.filter(({ To, Subject }) => To === colleague.email && Subject?.includes('Reset'))).toEqual([])
  })

  it('an unlinked account is linked to the next verified subject', async () => {
    const [admin, { id, email, person, cookie }] = [await makeAccount(), await makeAccount('billing', false)]
    const recreated = { ...person, sub: randomUUID() }
    expect(await outcome(recreated, only)).toEqual([403, 'OTHER_IDENTITY'])
    expect((await only.send('POST', `/api/accounts/${id}/sso-unlink`, {}, admin.cookie)).status).toBe(200)
    expect(await isIn(cookie, only)).toBe(false)
    expect(await outcome(recreated, only)).toEqual([200, email])
    expect(await outcome(person, only)).toEqual([403, 'OTHER_IDENTITY'])
  })
})
