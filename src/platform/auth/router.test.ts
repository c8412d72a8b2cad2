import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { calls, encode } from '../../../test/access/calls.ts'
import { insertOneOfEach } from '../../../test/factories.ts'
import { emailedLink, emailsTo, tokenOf } from '../../../test/messages/emails.ts'
import { password, startTestServer, type TestServer, useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { createSetupLink } from './service.ts'

const newAddress = (domain = 'clinic.example') => `${randomUUID()}@${domain}`
const person = (email: string) => ({ firstName: 'Ana', lastName: 'Silva', email, password })
/** Status and body, to compare both at once. */
const readResponse = async (response: Response) => [response.status, await response.json().catch(() => null)] as const
let callers = 0
/** A different network address each time: these tests trust the proxy header. */
const fromElsewhere = () => `10.1.${Math.floor(++callers / 250)}.${callers % 250}`

const post = (server: TestServer, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': fromElsewhere(), ...headers },
    body: JSON.stringify(body),
  })

const signUp = async (server: TestServer, email: string) => {
  const answer = await post(server, 'sign-up', person(email))
  expect(answer.status).toBe(200)
  return emailedLink(server, email)
}
const verify = (server: TestServer, link: URL, typed = password) => post(server, 'verify-email', { token: tokenOf(link), password: typed })
const profileOf = async (server: TestServer, email: string) => {
  const [row] = await server.rows<{ id: string; role: string; status: string; email_verified: boolean; full_name: string }>(
    'select id, role, status, email_verified, full_name from profiles where email = $1',
    [email],
  )
  return row
}

describe.concurrent('signing up', () => {
  const server = useServer({ TRUST_PROXY: 'true', APP_URL: 'http://refyne.example' })

  it('emails a link for a company domain, then activates the account with the least role', async () => {
    const email = newAddress()
    const answer = await post(server, 'sign-up', person(email))
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
    expect(await profileOf(server, email)).toMatchObject({
      role: 'front_desk',
      status: 'pending',
      email_verified: false,
      full_name: 'Ana Silva',
    })

    const link = await emailedLink(server, email)
    expect(`${link.origin}${link.pathname}`).toBe('http://refyne.example/verify-email')
    expect(await readResponse(await verify(server, link))).toEqual([200, { status: 'active' }])
    expect(await profileOf(server, email)).toMatchObject({ role: 'front_desk', status: 'active', email_verified: true })

    const signedIn = await post(server, 'sign-in', { email, password })
    expect(await readResponse(signedIn)).toMatchObject([200, { role: 'front_desk', status: 'active', fullName: 'Ana Silva' }])
  })

  it('gives no access before verification, and resends the link after a correct password', async () => {
    const email = newAddress()
    await signUp(server, email)
    expect(await readResponse(await post(server, 'sign-in', { email, password }))).toMatchObject([403, { code: 'EMAIL_NOT_VERIFIED' }])
    await verify(server, await emailedLink(server, email, 2))
    expect((await post(server, 'sign-in', { email, password })).status).toBe(200)
  })

  it('puts nothing the user typed into emails to an unverified address', async () => {
    const email = newAddress()
    expect((await post(server, 'sign-up', { firstName: 'Security', lastName: 'Alert', email, password })).status).toBe(200)
    expect((await post(server, 'password-reset', { email })).status).toBe(200)
    for (const mail of await emailsTo(server, email, 2)) expect(JSON.stringify(mail)).not.toMatch(/Security|Alert/)
  })

  it('refuses a name with a web address, and says which field', async () => {
    const person = { firstName: 'Alert: visit http://evil.example', lastName: 'Silva', email: newAddress(), password }
    expect(await readResponse(await post(server, 'sign-up', person))).toMatchObject([
      422,
      { data: { fields: { firstName: "First name can't contain a web address or a line break" } } },
    ])
  })

  it('signs in after a new password, also one set by link (spec 2)', async () => {
    const { email, cookie } = await server.account()
    const isIn = async (answer: Response) => {
      const session = answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      return [answer.status, await answer.json(), (await server.send('GET', '/api/tags', undefined, session)).status]
    }
    const first = 'a-second-Long-passphrase'
    const changed = await server.send('POST', '/api/auth/password', { currentPassword: password, password: first }, cookie)
    expect(await isIn(changed)).toEqual([200, { next: 'home' }, 200])
    expect((await server.send('GET', '/api/tags', undefined, cookie)).status).toBe(401)
    await post(server, 'password-reset', { email })
    const token = tokenOf(await emailedLink(server, email, 2))
    expect(await isIn(await post(server, 'password', { token, password: 'a-third-Long-passphrase' }))).toEqual([200, { next: 'home' }, 200])
  })

  it('counts links sent at sign-in with all other emails to the address', async () => {
    const email = newAddress()
    await signUp(server, email)
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await post(server, 'sign-in', { email, password })).status)
    expect(statuses).toEqual([403, 403, 429, 429])
    await emailsTo(server, email, 3)
    await until(
      async () => (await server.rows("select 1 from graphile_worker.jobs where task_identifier ~ '^(auth|mail)[.]'")).length === 0,
    )
    expect(await emailsTo(server, email)).toHaveLength(3)
  })

  it('handles thirty simultaneous sign-ups', async () => {
    const addresses = Array.from({ length: 30 }, () => newAddress())
    const answers = await Promise.all(addresses.map(async (email) => (await post(server, 'sign-up', person(email))).status))
    expect(answers).toEqual(addresses.map(() => 200))
    await Promise.all(addresses.map((email) => emailsTo(server, email)))
  })

  it('responds to a wrong password before verification as for any account', async () => {
    const email = newAddress()
    await signUp(server, email)
    expect(await readResponse(await post(server, 'sign-in', { email, password: 'not-the-password' }))).toMatchObject([
      401,
      { code: 'INVALID_CREDENTIALS' },
    ])
  })

  it('returns 403 everywhere for any other domain until an administrator approves', async () => {
    const email = newAddress('elsewhere.example')
    expect(await readResponse(await verify(server, await signUp(server, email)))).toEqual([200, { status: 'pending' }])
    const signedIn = await post(server, 'sign-in', { email, password })
    expect(await readResponse(signedIn)).toMatchObject([200, { status: 'pending' }])
    const cookie = signedIn.headers.getSetCookie().join('; ')

    const made = await insertOneOfEach(server)
    for (const call of calls.filter(({ name }) => !['public', 'signed-in'].includes(permissions[name] as string))) {
      const { path, body } = encode(call, call.validInput(made))
      const answer = await server.send(call.method, path, body === null ? undefined : JSON.parse(body), cookie)
      expect([call.name, ...(await readResponse(answer))]).toMatchObject([
        call.name,
        403,
        { code: 'FORBIDDEN', message: expect.stringContaining('administrator') },
      ])
    }

    const admin = await server.as('admin')
    const waiting = (await admin.people.accounts()).find((account) => account.email === email)
    expect(waiting).toMatchObject({ status: 'pending', emailVerified: true })
    expect((await admin.people.list()).some((staff) => staff.email === email)).toBe(false)
    await admin.people.update({ id: waiting?.id ?? '', status: 'active' })
    const cookieNow = await server.newSession(email)
    expect((await server.send('GET', '/api/contacts', undefined, cookieNow)).status).toBe(200)
  })

  it.each([{ role: 'admin' }, { status: 'active' }, { emailVerified: true }, { id: randomUUID() }])(
    'role and status never come from the client: %o is refused and no one is made',
    async (extra) => {
      const email = newAddress()
      const [field] = Object.keys(extra)
      const answer = await post(server, 'sign-up', { ...person(email), ...extra })
      expect(await readResponse(answer)).toMatchObject([
        422,
        { code: 'INVALID_INPUT', data: { fields: { [field ?? '']: expect.any(String) } } },
      ])
      expect(await profileOf(server, email)).toBeUndefined()
    },
  )

  it('has a message for each field, and stores the email trimmed and in lower case (spec 5)', async () => {
    const answer = await post(server, 'sign-up', { firstName: ' ', lastName: '', email: 'nobody', password: '12345' })
    expect(await readResponse(answer)).toMatchObject([
      422,
      {
        data: {
          fields: {
            firstName: 'First name is required',
            lastName: 'Last name is required',
            email: 'Please enter a valid email address',
            password: 'Password must be at least 6 characters',
          },
        },
      },
    ])
    const email = newAddress()
    await post(server, 'sign-up', person(`  ${email.toUpperCase()} `))
    expect(await profileOf(server, email)).toBeDefined()
  })

  it.each([
    ['12345', 'Password must be at least 6 characters'],
    ['1234567', 'Please use at least 8 characters'],
    ['password', 'This password is one of the most common ones. Please choose another.'],
  ])('refuses the new password %j everywhere, with its field, and sends nothing', async (weak, message) => {
    const email = newAddress()
    const account = await server.account()
    const refusals = [
      await post(server, 'sign-up', { ...person(email), password: weak }),
      await post(server, 'setup', { ...person(email), password: weak, token: 'x' }),
      await post(server, 'password', { password: weak, token: 'x' }),
      await post(server, 'password', { password: weak, currentPassword: password }, { cookie: account.cookie }),
    ]
    for (const refusal of refusals) expect(await readResponse(refusal)).toMatchObject([422, { data: { fields: { password: message } } }])
    expect(await profileOf(server, email)).toBeUndefined()
    expect(server.outbox.messages.some((mail) => mail.To?.includes(email))).toBe(false)
    expect((await server.send('GET', '/api/tags', undefined, account.cookie)).status).toBe(200)
  })

  it('gives the same answer for a taken address and leaves the account unchanged', async () => {
    const email = newAddress()
    await verify(server, await signUp(server, email))
    const fresh = await readResponse(await post(server, 'sign-up', person(newAddress())))
    const taken = await readResponse(
      await post(server, 'sign-up', { ...person(email), firstName: 'Mallory', password: 'another-Long-passphrase' }),
    )
    expect(taken).toEqual(fresh)
    expect(await profileOf(server, email)).toMatchObject({ full_name: 'Ana Silva', status: 'active' })
    expect((await post(server, 'sign-in', { email, password: 'another-Long-passphrase' })).status).toBe(401)
    expect((await post(server, 'sign-in', { email, password })).status).toBe(200)
  })

  it('requires the sign-up password with a verification link; a reset gives the address to its owner', async () => {
    const email = newAddress()
    const link = await signUp(server, email) // by someone else; the email goes to the owner
    const mine = 'another-Long-passphrase'
    expect(await readResponse(await post(server, 'verify-email', { token: tokenOf(link) }))).toMatchObject([
      422,
      { data: { fields: { password: expect.any(String) } } },
    ])
    expect(await readResponse(await verify(server, link, mine))).toMatchObject([
      401,
      { code: 'INVALID_CREDENTIALS', message: 'The password is incorrect' },
    ])
    expect(await profileOf(server, email)).toMatchObject({ status: 'pending', email_verified: false })

    await post(server, 'sign-up', { ...person(email), password: mine }) // changes nothing
    await post(server, 'password-reset', { email })
    const reset = await until(async () => {
      const newest = await emailedLink(server, email, 2)
      return newest.pathname === '/update-password' && newest
    })
    expect((await post(server, 'password', { password: mine, token: tokenOf(reset) })).status).toBe(200)
    expect((await verify(server, link)).status).toBe(401)
    expect(await readResponse(await verify(server, link, mine))).toEqual([200, { status: 'active' }])
    expect((await post(server, 'sign-in', { email, password })).status).toBe(401)
    expect((await post(server, 'sign-in', { email, password: mine })).status).toBe(200)
  })

  it('counts wrong passwords with a verification link as at sign-in, and leaves the link valid', async () => {
    const email = newAddress()
    const link = await signUp(server, email)
    const here = { 'x-forwarded-for': '10.9.8.1' }
    const guess = (typed: string) => post(server, 'verify-email', { token: tokenOf(link), password: typed }, here)
    for (let i = 0; i < 10; i++) expect((await guess('not-the-password')).status).toBe(401)
    expect(await readResponse(await guess(password))).toMatchObject([429, { code: 'TOO_MANY_REQUESTS' }])
    expect((await post(server, 'sign-in', { email, password }, here)).status).toBe(429)
    expect(await readResponse(await verify(server, link))).toEqual([200, { status: 'active' }])
  })

  it('returns 410 for a link that was never sent or was changed', async () => {
    const link = await signUp(server, newAddress())
    const [head, payload, signature] = tokenOf(link).split('.')
    const forged = Buffer.from(JSON.stringify({ email: newAddress(), iat: 1, exp: 9_999_999_999 })).toString('base64url')
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    for (const token of [
      'made-up',
      `${head}.${payload}`,
      `${head}.${forged}.${signature}`,
      `${unsigned}.${payload}.`,
      `${head}.${payload}.x${signature}`,
    ]) {
      expect([token, ...(await readResponse(await post(server, 'verify-email', { token, password })))]).toMatchObject([
        token,
        410,
        { code: 'LINK_INVALID' },
      ])
    }
  })

  it("does not undo an administrator's decision when a used link is opened again", async () => {
    const email = newAddress()
    const link = await signUp(server, email)
    await verify(server, link)
    const { id = '' } = (await profileOf(server, email)) ?? {}
    const admin = await server.as('admin')
    for (const status of ['pending', 'disabled'] as const) {
      await admin.people.update({ id, status })
      await verify(server, link)
      expect(await profileOf(server, email)).toMatchObject({ status })
    }
  })

  it('gives the same answer to resend requests for unknown and verified addresses, and emails neither', async () => {
    const waiting = newAddress()
    await signUp(server, waiting)
    const verified = (await server.account()).email
    const unknown = newAddress()
    const answers = []
    for (const email of [waiting, verified, unknown]) answers.push(await readResponse(await post(server, 'verification', { email })))
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    await emailsTo(server, waiting, 2)
    expect(server.outbox.messages.filter((mail) => [verified, unknown].includes(mail.To ?? ''))).toEqual([])
  })
})

describe('signing in and out', () => {
  const server = useServer({ TRUST_PROXY: 'true' })

  it('does not distinguish a wrong password from an unknown address', async () => {
    const { email } = await server.account()
    const wrong = await readResponse(await post(server, 'sign-in', { email, password: 'not-the-password' }))
    expect(wrong).toMatchObject([401, { code: 'INVALID_CREDENTIALS', message: 'Invalid login credentials' }])
    expect(await readResponse(await post(server, 'sign-in', { email: newAddress(), password }))).toEqual(wrong)
  })

  it('has messages for an invalid address and an empty password (spec 5)', async () => {
    expect(await readResponse(await post(server, 'sign-in', { email: 'nobody', password: '' }))).toMatchObject([
      422,
      { data: { fields: { email: 'Please enter a valid email address', password: 'Password is required' } } },
    ])
  })

  it('accepts the address in any case and with surrounding spaces', async () => {
    const { email } = await server.account()
    expect((await post(server, 'sign-in', { email: ` ${email.toUpperCase()} `, password })).status).toBe(200)
  })

  it('sets HttpOnly, SameSite=Lax session cookies that do not reveal the user', async () => {
    const { email, id } = await server.account()
    const cookies = (await post(server, 'sign-in', { email, password })).headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; HttpOnly/)
      expect(cookie).toMatch(/; SameSite=Lax/)
      expect(cookie).toMatch(/; Path=\//)
      expect(decodeURIComponent(cookie)).not.toContain(id)
    }
  })

  it('rejects a modified or forged cookie', async () => {
    const { cookie } = await server.account()
    const [name, value = ''] = cookie.split('=')
    const [token, signature] = decodeURIComponent(value).split('.')
    for (const changed of [
      `x${token}.${signature}`,
      `${token}.${signature?.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`,
      `${token}`,
      'made-up',
      '%',
      '',
    ]) {
      const answer = await server.send('GET', '/api/tags', undefined, `${name}=${changed === '%' ? changed : encodeURIComponent(changed)}`)
      expect([changed, answer.status]).toEqual([changed, 401])
    }
  })

  it('ends every session of the account at sign-out', async () => {
    const account = await server.account()
    const second = await server.newSession(account.email)
    const answer = await server.send('POST', '/api/auth/sign-out', undefined, second)
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie().some((cookie) => /session_token=;/.test(cookie) && /Max-Age=0/.test(cookie))).toBe(true)
    for (const cookie of [account.cookie, second]) expect((await server.send('GET', '/api/tags', undefined, cookie)).status).toBe(401)
    expect(await server.rows('select 1 from sessions where user_id = $1', [account.id])).toEqual([])
  })

  it('refuses a disabled account and ends its sessions', async () => {
    const account = await server.account()
    await (await server.as('admin')).people.update({ id: account.id, status: 'disabled' })
    const answer = await post(server, 'sign-in', { email: account.email, password })
    expect([...(await readResponse(answer)), answer.headers.getSetCookie()]).toMatchObject([403, { code: 'ACCOUNT_DISABLED' }, []])
    expect(await server.rows('select 1 from sessions where user_id = $1', [account.id])).toEqual([])
    expect(await readResponse(await post(server, 'sign-in', { email: account.email, password: 'not-the-password' }))).toMatchObject([
      401,
      {},
    ])
  })

  it('limits wrong passwords per account and address; correct ones are never limited, and other addresses are not affected', async () => {
    const { email } = await server.account()
    const here = { 'x-forwarded-for': '10.9.9.1' }
    for (let i = 0; i < 15; i++) expect((await post(server, 'sign-in', { email, password }, here)).status).toBe(200)
    const wrong = async () => (await post(server, 'sign-in', { email, password: 'not-the-password' }, here)).status
    for (let i = 0; i < 10; i++) expect(await wrong()).toBe(401)
    const refused = await post(server, 'sign-in', { email, password: 'not-the-password' }, here)
    const wait = Number(refused.headers.get('retry-after'))
    expect([wait > 0, wait <= 600, ...(await readResponse(refused))]).toMatchObject([true, true, 429, { code: 'TOO_MANY_REQUESTS' }])
    expect((await post(server, 'sign-in', { email, password }, { 'x-forwarded-for': '10.9.9.2' })).status).toBe(200)
  })

  it('limits wrong passwords for many accounts from one address', async () => {
    const here = { 'x-forwarded-for': '10.9.9.3' }
    await server.rows(
      "insert into rate_limits (key, points, expire) values ('sign-in-address:10.9.9.3', 100, (extract(epoch from now()) * 1000 + 600000)::bigint)",
    )
    expect((await post(server, 'sign-in', { email: newAddress(), password }, here)).status).toBe(429)
  })

  it('counts an IPv6 network as one address, and audits the full address', async () => {
    const { email } = await server.account()
    const wrong = async (host: number) => {
      const headers = { 'x-forwarded-for': `2001:db8:7:7::${host.toString(16)}` }
      return (await post(server, 'sign-in', { email, password: 'not-the-password' }, headers)).status
    }
    for (let host = 1; host <= 10; host++) expect(await wrong(host)).toBe(401)
    expect(await wrong(11)).toBe(429)
    const from = await server.rows("select distinct address from audit_log where action = 'denied' and after->>'email' = $1", [email])
    expect(from).toHaveLength(10)
  })

  it('limits emails to one address to three per quarter of an hour across all pages', async () => {
    const { email } = await server.account()
    const statuses = []
    for (const path of ['password-reset', 'verification', 'password-reset', 'verification', 'password-reset'])
      statuses.push((await post(server, path, { email })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const signUp = { firstName: 'Ana', lastName: 'Silva', email, password }
    expect((await post(server, 'sign-up', signUp)).status).toBe(429)
  })

  it('limits emails to one address to ten per day', async () => {
    const { email } = await server.account()
    await server.rows(
      'insert into rate_limits (key, points, expire) values ($1, 9, (extract(epoch from now()) * 1000 + 3600000)::bigint)',
      [`mail-day:${email}`],
    )
    expect((await post(server, 'password-reset', { email })).status).toBe(200)
    const refused = await post(server, 'password-reset', { email })
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3_000]).toEqual([429, true])
  })

  it('returns only null for an anonymous session request', async () => {
    expect(await readResponse(await server.send('GET', '/api/auth/session'))).toMatchObject([
      200,
      { user: null, practice: { timeZone: 'America/Toronto' } },
    ])
    const account = await server.account({ role: 'billing' })
    const session = await readResponse(await server.send('GET', '/api/auth/session', undefined, account.cookie))
    expect(session).toMatchObject([200, { user: { id: account.id, email: account.email, role: 'billing', status: 'active' } }])
  })
})

describe('without a trusted proxy', () => {
  const server = useServer({ APP_URL: 'https://refyne.example' })

  it('ignores an address that the caller claims, so limits still apply', async () => {
    const email = newAddress()
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await post(server, 'sign-in', { email, password })).status)
    expect(statuses.slice(-2)).toEqual([401, 429])
  })

  it('sets Secure cookies and HSTS on an HTTPS URL', async () => {
    const { email } = await server.account()
    const answer = await server.send('POST', '/api/auth/sign-in', { email, password })
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/^__Host-.*; Secure/)
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
  })
})

describe('cross-site requests', () => {
  const server = useServer({ APP_URL: 'http://refyne.example' })
  const create = async (headers: Record<string, string>) => {
    const { cookie } = await server.account()
    const name = randomUUID()
    const answer = await fetch(`${server.url}/api/tags`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name }),
    })
    const [tag] = await server.rows('select 1 from tags where name = $1', [name])
    return {
      status: answer.status,
      code: ((await answer.json()) as { code?: string }).code,
      made: tag !== undefined,
      cors: answer.headers.get('access-control-allow-origin'),
    }
  }

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://refyne.example.evil.example' },
    { origin: 'http://refyne.example:8080' },
    { origin: 'https://refyne.example' },
    { 'sec-fetch-site': 'cross-site' },
  ])('returns 403 without effect: %o', async (headers) => {
    expect(await create(headers)).toEqual({ status: 403, code: 'FOREIGN_ORIGIN', made: false, cors: null })
  })

  it('allows our own address, the called address, and programs without an Origin', async () => {
    const none: Record<string, string> = {}
    for (const headers of [{ origin: 'http://refyne.example' }, { origin: server.url }, none]) {
      expect(await create(headers)).toMatchObject({ status: 200, made: true })
    }
  })

  it('applies to signing in and out', async () => {
    const { email, cookie } = await server.account()
    const headers = { origin: 'https://evil.example' }
    expect((await post(server, 'sign-in', { email, password }, headers)).status).toBe(403)
    expect((await post(server, 'sign-out', {}, { ...headers, cookie })).status).toBe(403)
    expect((await server.send('GET', '/api/tags', undefined, cookie)).status).toBe(200)
  })
})

describe.concurrent('passwords (spec 4, spec 8)', () => {
  const server = useServer({ TRUST_PROXY: 'true', APP_URL: 'http://refyne.example' })
  const changed = 'another-Long-passphrase'

  it('emails a link to /update-password that works once, ends all sessions and replaces the password (spec 2)', async () => {
    const account = await server.account()
    expect((await post(server, 'password-reset', { email: account.email.toUpperCase() })).status).toBe(200)
    const link = await emailedLink(server, account.email)
    expect(`${link.origin}${link.pathname}`).toBe('http://refyne.example/update-password')
    const token = tokenOf(link)

    expect((await post(server, 'password', { password: changed, token })).status).toBe(200)
    expect(await readResponse(await post(server, 'password', { password: 'a-Third-passphrase', token }))).toMatchObject([
      410,
      { code: 'LINK_INVALID' },
    ])
    expect((await server.send('GET', '/api/tags', undefined, account.cookie)).status).toBe(401)
    expect((await post(server, 'sign-in', { email: account.email, password })).status).toBe(401)
    expect((await post(server, 'sign-in', { email: account.email, password: changed })).status).toBe(200)
  })

  it('stores only hashes of reset links', async () => {
    const account = await server.account()
    await post(server, 'password-reset', { email: account.email })
    const token = tokenOf(await emailedLink(server, account.email))
    const [row] = await server.rows<{ identifier: string }>('select identifier from verifications where value = $1', [account.id])
    expect(row?.identifier).not.toContain(token)
    for (const stolen of [row?.identifier ?? '', (row?.identifier ?? '').replace('reset-password:', '')]) {
      expect((await post(server, 'password', { password: changed, token: stolen })).status).toBe(410)
    }
    expect((await post(server, 'password', { password: changed, token })).status).toBe(200)
  })

  it('invalidates other links after any password change', async () => {
    const account = await server.account()
    const newLink = async (count: number) => {
      await post(server, 'password-reset', { email: account.email })
      return tokenOf(await emailedLink(server, account.email, count))
    }
    const [first, second] = [await newLink(1), await newLink(2)]
    expect((await post(server, 'password', { password: changed, token: first })).status).toBe(200)
    expect((await post(server, 'password', { password: 'a-Third-passphrase', token: second })).status).toBe(410)

    await emailsTo(server, account.email, 3) // and the password change
    const third = await newLink(4)
    const cookie = (await post(server, 'sign-in', { email: account.email, password: changed })).headers.getSetCookie().join('; ')
    expect((await post(server, 'password', { password, currentPassword: changed }, { cookie })).status).toBe(200)
    expect((await post(server, 'password', { password: 'a-Third-passphrase', token: third })).status).toBe(410)
    expect((await post(server, 'sign-in', { email: account.email, password })).status).toBe(200)
  })

  it('sets one password when a link is used twice simultaneously', async () => {
    const account = await server.account()
    await post(server, 'password-reset', { email: account.email })
    const token = tokenOf(await emailedLink(server, account.email))
    const passwords = Array.from({ length: 6 }, (_, i) => `${changed}-${i}`)
    const answers = await Promise.all(passwords.map(async (to) => (await post(server, 'password', { password: to, token })).status))
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
    expect(answers.every((status) => status === 200 || status === 410)).toBe(true)
  })

  it('gives the same answer for an unknown address and sends no email', async () => {
    const { email } = await server.account()
    const unknown = newAddress()
    const known = await readResponse(await post(server, 'password-reset', { email }))
    expect(await readResponse(await post(server, 'password-reset', { email: unknown }))).toEqual(known)
    await emailsTo(server, email)
    expect(server.outbox.messages.some((mail) => mail.To?.includes(unknown))).toBe(false)
  })

  it('returns 410 for a forged link or one that is an hour old', async () => {
    const account = await server.account()
    await post(server, 'password-reset', { email: account.email })
    const token = tokenOf(await emailedLink(server, account.email))
    expect((await post(server, 'password', { password: changed, token: 'made-up' })).status).toBe(410)
    await server.rows("update verifications set expires_at = now() - interval '1 second' where value = $1", [account.id])
    expect((await post(server, 'password', { password: changed, token })).status).toBe(410)
    expect((await post(server, 'sign-in', { email: account.email, password })).status).toBe(200)
  })

  it('requires the current password when signed in, and ends every session', async () => {
    const account = await server.account()
    const second = await server.newSession(account.email)
    expect(
      await readResponse(await post(server, 'password', { password: changed, currentPassword: 'wrong-one' }, { cookie: account.cookie })),
    ).toMatchObject([401, { code: 'INVALID_CREDENTIALS', message: 'The current password is incorrect' }])
    expect((await post(server, 'password', { password: changed }, { cookie: account.cookie })).status).toBe(401)
    expect((await server.send('GET', '/api/tags', undefined, second)).status).toBe(200)

    expect((await post(server, 'password', { password: changed, currentPassword: password }, { cookie: account.cookie })).status).toBe(200)
    for (const cookie of [account.cookie, second]) expect((await server.send('GET', '/api/tags', undefined, cookie)).status).toBe(401)
    expect((await post(server, 'sign-in', { email: account.email, password: changed })).status).toBe(200)
  })

  it('refuses to set a password without a session or link', async () => {
    expect((await post(server, 'password', { password: changed, currentPassword: password })).status).toBe(401)
  })

  it('neither enables, approves nor verifies an account by a reset', async () => {
    for (const status of ['disabled', 'pending'] as const) {
      const account = await server.account({ status })
      await post(server, 'password-reset', { email: account.email })
      await post(server, 'password', { password: changed, token: tokenOf(await emailedLink(server, account.email)) })
      expect(await profileOf(server, account.email)).toMatchObject({ status })
    }
    const email = newAddress()
    await signUp(server, email)
    await post(server, 'password-reset', { email })
    const link = await until(async () => {
      const newest = await emailedLink(server, email, 2)
      return newest.pathname === '/update-password' && newest
    })
    await post(server, 'password', { password: changed, token: tokenOf(link) })
    expect(await profileOf(server, email)).toMatchObject({ status: 'pending', email_verified: false })
  })
})

describe.concurrent('the first administrator', () => {
  const fresh = async (work: (server: TestServer, newToken: () => Promise<string>) => Promise<void>) => {
    const server = await startTestServer(inject('postgres'))
    const { db, env } = server.running.runtime
    try {
      await work(server, async () => tokenOf(new URL((await createSetupLink(db, env)) ?? 'http://none/?token=')))
    } finally {
      await server.stop()
    }
  }
  const setup = (server: TestServer, token: string) => post(server, 'setup', { ...person(newAddress('elsewhere.example')), token })
  const isOpen = async (server: TestServer) => ((await (await server.send('GET', '/api/auth/setup')).json()) as { open: boolean }).open
  const admins = (server: TestServer) => server.rows("select email from profiles where role = 'admin'")

  it('is created once, through the link; being the first to sign up does not make an administrator', () =>
    fresh(async (server, newToken) => {
      const token = await newToken()
      expect(await isOpen(server)).toBe(true)
      await verify(server, await signUp(server, newAddress()))
      expect(await admins(server)).toEqual([])
      expect(await readResponse(await setup(server, 'made-up'))).toMatchObject([410, { code: 'LINK_INVALID' }])

      const email = newAddress('elsewhere.example')
      const made = await post(server, 'setup', { ...person(email), token })
      expect(await readResponse(made)).toMatchObject([200, { email, role: 'admin', status: 'active' }])
      expect((await post(server, 'sign-in', { email, password })).status).toBe(200)
      expect(await isOpen(server)).toBe(false)
      expect((await setup(server, token)).status).toBe(410)
      expect(await newToken()).toBe('')
      expect(await admins(server)).toEqual([{ email }])
      expect(
        await server.rows("select action, actor_role, after from audit_log where kind = 'account' and after->>'role' = 'admin'"),
      ).toMatchObject([{ action: 'created', actor_role: 'visitor', after: { email, role: 'admin' } }])
    }))

  it('invalidates older links once there is an administrator', () =>
    fresh(async (server, newToken) => {
      const [earlier, used] = [await newToken(), await newToken()]
      expect((await setup(server, used)).status).toBe(200)
      expect((await setup(server, earlier)).status).toBe(410)
      expect(await admins(server)).toHaveLength(1)
    }))

  it('creates one administrator from several links used simultaneously and repeatedly', () =>
    fresh(async (server, newToken) => {
      const tokens = [await newToken(), await newToken(), await newToken()]
      const answers = await Promise.all([...tokens, ...tokens, ...tokens].map(async (token) => (await setup(server, token)).status))
      expect(answers.toSorted()).toEqual([200, 410, 410, 410, 410, 410, 410, 410, 410])
      expect(await admins(server)).toHaveLength(1)
    }))
})

describe('managing accounts as an administrator', () => {
  const server = useServer()

  it('keeps the last administrator, even when two demote each other simultaneously', async () => {
    await server.rows("update profiles set role = 'billing' where role = 'admin'") // administrators created by other tests
    const [one, two] = await Promise.all([server.account({ role: 'admin' }), server.account({ role: 'admin' })])
    const answers = await Promise.all([
      server.send('PATCH', `/api/accounts/${two.id}`, { role: 'billing' }, one.cookie),
      server.send('PATCH', `/api/accounts/${one.id}`, { status: 'disabled' }, two.cookie),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1) // the other one: 409, or already signed out
    const left = await server.rows<{ id: string }>("select id from profiles where role = 'admin' and status = 'active'")
    expect(left).toHaveLength(1)
    const cookie = left[0]?.id === one.id ? one.cookie : two.cookie
    const alone = await server.send('PATCH', `/api/accounts/${left[0]?.id}`, { role: 'billing' }, cookie)
    expect(await readResponse(alone)).toMatchObject([409, { code: 'LAST_ADMIN' }])
  })

  it('returns 404 for an unknown account', async () => {
    const admin = await server.account({ role: 'admin' })
    expect((await server.send('PATCH', `/api/accounts/${randomUUID()}`, { role: 'billing' }, admin.cookie)).status).toBe(404)
  })
})
