import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { calls, encode } from '../../../test/access/calls.ts'
import { insertOneOfEach } from '../../../test/factories.ts'
import { password, useServer } from '../../../test/server.ts'
import { sideBySide } from '../../../test/side-by-side.ts'
import { openStream } from '../../../test/network/stream.ts'
import { until } from '../../../test/until.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { roles } from '../../kernel/access/rules.ts'

describe('sign-up by an unknown user (spec 9)', () => {
  const server = useServer({ TRUST_PROXY: 'true' })

  /** A user of another domain who has opened the emailed link and signed in. */
  async function outsider() {
    const email = `${randomUUID()}@elsewhere.example`
    expect((await server.send('POST', '/api/auth/sign-up', { firstName: 'Mal', lastName: 'Lory', email, password })).status).toBe(200)
    const mail = await until(() => server.outbox.messages.find((message) => message.To?.includes(email)))
    const token = /token=([^\s&]+)/.exec(mail.TextBody ?? '')?.[1]
    expect((await server.send('POST', '/api/auth/verify-email', { token, password })).status).toBe(200)
    const cookie = await server.newSession(email)
    const [row] = await server.rows<{ id: string; role: string; status: string }>(
      'select id, role, status from profiles where email = $1',
      [email],
    )
    return { ...row!, email, cookie }
  }

  it('answers 403 to every call and the stream until an administrator approves, then grants only the lowest role', async () => {
    const somebody = await outsider()
    expect(somebody).toMatchObject({ role: 'front_desk', status: 'pending' })
    const made = await insertOneOfEach(server)
    const ask = async (call: (typeof calls)[number]) => {
      const { path, body } = encode(call, call.validInput(made))
      const abort = new AbortController()
      const answer = await server.request(path, {
        method: call.method,
        signal: abort.signal,
        headers: { cookie: somebody.cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body } : {}),
      })
      if (answer.headers.get('content-type') === 'text/event-stream') abort.abort()
      else await answer.arrayBuffer()
      return answer.status
    }
    const guarded = calls.filter(({ name }) => permissions[name] !== 'public' && permissions[name] !== 'signed-in')
    const statuses = await sideBySide(guarded, async (call) => [call.name, await ask(call)])
    expect(statuses).toEqual(guarded.map(({ name }) => [name, 403]))

    await (await server.as('admin')).people.update({ id: somebody.id, status: 'active' })
    const cookie = await server.newSession(somebody.email)
    expect((await server.send('GET', '/api/tags', undefined, cookie)).status).toBe(200)
    expect((await server.send('GET', '/api/accounts', undefined, cookie)).status).toBe(403)
    ;(await openStream(server.url, cookie)).close()
  })

  it.each([
    { role: 'admin' },
    { status: 'active' },
    { emailVerified: true },
    { id: randomUUID() },
    { practice: 'Refyne' },
    { isAdmin: true },
  ])('refuses a sign-up that asks for %o and creates no user', async (wish) => {
    const email = `${randomUUID()}@clinic.example`
    const answer = await server.send('POST', '/api/auth/sign-up', { firstName: 'Mal', lastName: 'Lory', email, password, ...wish })
    expect(answer.status).toBe(422)
    expect(await server.rows('select 1 from profiles where email = $1', [email])).toEqual([])
  })
})

describe('roles and identities claimed in a request body (spec 9)', () => {
  const server = useServer({ TRUST_PROXY: 'true' })
  const claims = { role: 'admin', status: 'active', id: randomUUID(), practice: 'Another', actorId: randomUUID(), userId: randomUUID() }
  const overrides = (call: (typeof calls)[number], input: object) => {
    const known = Object.keys(input)
    return Object.fromEntries(Object.entries(claims).filter(([name]) => !known.includes(name) && !call.path.includes(`{${name}}`)))
  }

  it('only administrators can call the procedures that set a role or a status', () => {
    const admin = ['people.update', 'people.invite'] as const
    for (const name of admin) expect([name, permissions[name]]).toEqual([name, ['admin']])
    const others = calls.filter(({ name, validInput }) => 'role' in validInput({} as never) && !admin.some((one) => one === name))
    expect(others.map(({ name }) => name)).toEqual([])
  })

  it.each(roles)('%s: every call refuses or ignores role, status, id and practice, and no account changes', async (role) => {
    const account = await server.account({ role })
    const made = await insertOneOfEach(server)
    const accounts = () => server.rows('select id, email, role, status, email_verified from profiles order by id')
    const before = await accounts()
    const wrong: string[] = []
    const sent = calls.filter(({ name, method }) => method !== 'GET' && name !== 'auth.signOut')
    await sideBySide(sent, async (call) => {
      const input = call.validInput(made)
      const { path } = encode(call, input)
      const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !call.path.includes(`{${name}}`)))
      const answer = await server.send(call.method, path, { ...rest, ...overrides(call, input) }, account.cookie)
      const text = await answer.text()
      // What takes no input at all looks at none.
      const isRefused = answer.status === 422 || answer.status === 403 || answer.status === 429
      if (call.inputSchema && !isRefused) wrong.push(`${call.name}: ${answer.status} ${text.slice(0, 100)}`)
      if (answer.status >= 500 && answer.status !== 503) wrong.push(`${call.name}: ${answer.status}`)
    })
    expect(wrong).toEqual([])
    expect(await accounts()).toEqual(before)
  })

  it('ignores an id in the body when the path has one', async () => {
    const { cookie } = await server.account({ role: 'admin' })
    const made = await insertOneOfEach(server)
    const nothing = randomUUID()
    const wrong: string[] = []
    for (const call of calls.filter(({ method, path }) => method !== 'GET' && /\{\w*[iI]d\}/.test(path))) {
      const input = call.validInput(made)
      const inPath = Object.keys(input).filter((name) => call.path.includes(`{${name}}`))
      const elsewhere = { ...input, ...Object.fromEntries(inPath.map((name) => [name, nothing])) }
      const { path } = encode(call, elsewhere)
      const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)))
      const [plain, forged] = [
        await server.send(call.method, path, rest, cookie),
        await server.send(call.method, path, { ...rest, ...Object.fromEntries(inPath.map((name) => [name, input[name]])) }, cookie),
      ]
      await Promise.all([plain.arrayBuffer(), forged.arrayBuffer()])
      if (plain.status !== forged.status) wrong.push(`${call.name}: ${plain.status}, with the id in its body ${forged.status}`)
    }
    expect(wrong).toEqual([])
  })
})
