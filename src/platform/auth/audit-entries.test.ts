import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { emailedLink, tokenOf } from '../../../test/messages/emails.ts'
import { password, useServer } from '../../../test/server.ts'
import { codeOf, wrongCode } from '../../../test/totp.ts'

const server = useServer()
const wrong = 'not-the-password'

const post = (path: string, body: unknown, cookie?: string) => server.send('POST', `/api/${path}`, body, cookie)
const entries = (after = 0) =>
  server.rows<{
    id: string
    actor_id: string | null
    actor_role: string
    action: string
    after: Record<string, string> | null
    address: string
  }>(
    `select id, actor_id, actor_role, action, after, address from audit_log
     where (kind = 'session' or (kind = 'account' and after ? 'password')) and id > $1 order by id`,
    [after],
  )
const newest = async () => Number((await server.rows<{ id: string }>('select coalesce(max(id), 0) as id from audit_log'))[0]!.id)

it('records sign-ins, sign-outs and refusals with the network address', async () => {
  const { id, email, cookie } = await server.account({ role: 'billing' })
  const from = await newest()
  await post('auth/sign-in', { email, password: wrong })
  await post('auth/sign-in', { email: `${randomUUID()}@clinic.example`, password: wrong })
  await post('auth/sign-in', { email, password })
  await post('auth/step-up', { password: wrong }, cookie)
  await post('auth/password', { currentPassword: wrong, password: 'a-new-password-2026' }, cookie)
  await post('auth/sign-out', {}, cookie)
  const me = { actor_id: id, actor_role: 'billing' }
  const nobody = { actor_id: null, actor_role: 'visitor' }
  const why = 'Unknown address or wrong password'
  expect(await entries(from)).toMatchObject([
    { ...nobody, action: 'denied', after: { email, reason: why }, address: expect.stringMatching(/127\.0\.0\.1|::1/) },
    { ...nobody, action: 'denied', after: { reason: why } },
    { ...me, action: 'signed-in', after: { with: 'Password' } },
    { ...me, action: 'denied', after: { email, reason: 'Wrong password or code' } },
    { ...me, action: 'denied', after: { email, reason: 'Wrong password or code' } },
    { ...me, action: 'signed-out', after: null },
  ])
  expect(JSON.stringify(await entries(from))).not.toContain(wrong)
})

it('does not store an unknown email address, which may be a password typed in the wrong field', async () => {
  const from = await newest()
  const typed = `${randomUUID()}@clinic.example`
  await post('auth/sign-in', { email: typed, password: wrong })
  const [entry] = await entries(from)
  expect(entry?.after).not.toHaveProperty('email')
  expect(await server.rows('select 1 from audit_log where after::text like $1', [`%${typed}%`])).toEqual([])
})

it('records a two-factor sign-in after the code, and none for a disabled account even with the correct password', async () => {
  const { id, email, cookie } = await server.account({ role: 'sales_rep' })
  const begun: { secret: string } = await (await post('account/two-factor', { password }, cookie)).json()
  await post('account/two-factor/confirmation', { code: codeOf(begun.secret) }, cookie)
  const from = await newest()
  const half = await post('auth/sign-in', { email, password })
  expect(await entries(from)).toEqual([])
  const challenge = half.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  expect((await post('auth/second-step', { code: wrongCode(begun.secret) }, challenge)).status).toBe(401)
  expect((await post('auth/second-step', { code: codeOf(begun.secret, 1) }, challenge)).status).toBe(200)
  const admin = await server.as('admin')
  const afterwards = await newest()
  expect(await entries(from)).toMatchObject([
    { actor_id: null, action: 'denied', after: { email, reason: 'The code was wrong or already used' } },
    { actor_id: id, actor_role: 'sales_rep', action: 'signed-in', after: { with: 'Authenticator' } },
    { actor_role: 'admin', action: 'signed-in' },
  ])
  const other = await server.account()
  await admin.people.update({ id: other.id, status: 'disabled' })
  expect((await post('auth/sign-in', { email: other.email, password })).status).toBe(403)
  expect((await entries(afterwards)).at(-1)).toMatchObject({
    actor_id: null,
    action: 'denied',
    after: { email: other.email, reason: 'The account is disabled' },
  })
})

it('records password changes, by the old password or by link, without the password', async () => {
  const { id, email, cookie } = await server.account()
  const from = await newest()
  const [first, second] = ['a-new-password-2026', 'another-password-2026']
  expect((await post('auth/password', { currentPassword: password, password: first }, cookie)).status).toBe(200)
  await post('auth/password-reset', { email })
  const token = tokenOf(await emailedLink(server, email, 2))
  expect((await post('auth/password', { token, password: second })).status).toBe(200)
  const recorded = await entries(from)
  expect(recorded.filter(({ action }) => action === 'changed')).toMatchObject([
    { actor_id: id, action: 'changed', after: { id, email, password: 'Set again' } },
    { actor_id: null, actor_role: 'visitor', action: 'changed', after: { id, email, password: 'Set again' } },
  ])
  for (const kept of [first, second]) expect(JSON.stringify(recorded)).not.toContain(kept)
})

it('records a sign-up and its activation: who, from where, before and after', async () => {
  const email = `${randomUUID()}@clinic.example`
  const from = await newest()
  const person = { firstName: 'Ana', lastName: 'Silva', email, password }
  expect((await post('auth/sign-up', person)).status).toBe(200)
  expect((await post('auth/sign-up', person)).status).toBe(200) // address taken: writes nothing
  const token = tokenOf(await emailedLink(server, email))
  expect((await post('auth/verify-email', { token, password: wrong })).status).toBe(401)
  for (let i = 0; i < 2; i++) expect((await post('auth/verify-email', { token, password })).status).toBe(200)
  const [{ id } = { id: '' }] = await server.rows<{ id: string }>('select id from profiles where email = $1', [email])
  const recorded = await server.rows(
    'select action, kind, actor_id, actor_role, before, after, address is not null as is_placed from audit_log where id > $1 order by id',
    [from],
  )
  const byNobody = { actor_id: null, actor_role: 'visitor', is_placed: true }
  expect(recorded).toEqual([
    { ...byNobody, action: 'created', kind: 'account', before: null, after: { id, email, role: 'front_desk', status: 'pending' } },
    { ...byNobody, action: 'denied', kind: 'session', before: null, after: { email, reason: 'Wrong password or code' } },
    {
      ...byNobody,
      action: 'changed',
      kind: 'account',
      before: { id, emailVerified: false, status: 'pending' },
      after: { id, email, emailVerified: true, status: 'active' },
    },
  ])
})

it('records new recovery codes without the codes', async () => {
  const { id, cookie } = await server.account()
  const begun: { secret: string } = await (await post('account/two-factor', { password }, cookie)).json()
  await post('account/two-factor/confirmation', { code: codeOf(begun.secret) }, cookie)
  const from = await newest()
  const made: { recoveryCodes: string[] } = await (await post('account/two-factor/recovery-codes', { password }, cookie)).json()
  const recorded = await server.rows('select action, kind, actor_id, after from audit_log where id > $1', [from])
  expect(recorded).toEqual([{ action: 'changed', kind: 'account', actor_id: id, after: { id, recoveryCodes: 'Made again' } }])
  for (const code of made.recoveryCodes) expect(JSON.stringify(recorded)).not.toContain(code)
})

it('records sessions ended from another device, with the device of each', async () => {
  const { id, email, cookie } = await server.account()
  await Promise.all([server.newSession(email), server.newSession(email)])
  const from = await newest()
  const lines: { id: string; isCurrent: boolean }[] = await (await server.send('GET', '/api/account/sessions', undefined, cookie)).json()
  const other = lines.find(({ isCurrent }) => !isCurrent)
  expect((await server.send('DELETE', `/api/account/sessions/${other?.id}`, undefined, cookie)).status).toBe(200)
  expect((await server.send('DELETE', `/api/account/sessions/${other?.id}`, undefined, cookie)).status).toBe(404)
  expect((await server.send('DELETE', '/api/account/sessions', undefined, cookie)).status).toBe(200)
  const recorded = await server.rows('select action, kind, actor_id, before from audit_log where id > $1 order by id', [from])
  const ended = {
    action: 'signed-out',
    kind: 'session',
    actor_id: id,
    before: { device: expect.any(String), address: expect.stringMatching(/127\.0\.0\.1|::1/) },
  }
  expect(recorded).toEqual([ended, ended])
})
