import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { emailedLink, emailsTo, tokenOf } from '../../../../test/messages/emails.ts'
import { password, useServer } from '../../../../test/server.ts'
import { openStream } from '../../../../test/network/stream.ts'

const newAddress = (domain = 'elsewhere.example') => `${randomUUID()}@${domain}`
const readResponse = async (response: Response) => [response.status, await response.json().catch(() => null)] as const

const server = useServer({ TRUST_PROXY: 'true', APP_URL: 'http://refyne.example' })
const asAdmin = async () => (await server.account({ role: 'admin' })).cookie

async function invite(cookie: string, email = newAddress(), role = 'provider') {
  const [status, made] = await readResponse(await server.send('POST', '/api/invitations', { email, role }, cookie))
  expect([status, made]).toMatchObject([200, { email: email.toLowerCase(), role }])
  return { id: made.id as string, email, token: tokenOf(await emailedLink(server, email)) }
}
const look = (token: string) => server.send('GET', `/api/auth/invitations/${token}`)
const accept = (token: string, given: Record<string, unknown> = {}) =>
  server.send('POST', `/api/auth/invitations/${token}/acceptance`, { firstName: 'Ines', lastName: 'Okafor', password, ...given })
const auditOf = (kind: string, id: string) =>
  server.rows<{ action: string; actor_role: string; before: unknown; after: unknown }>(
    "select action, actor_role, before, after from audit_log where kind = $1 and coalesce(after, before)->>'id' = $2 order by id",
    [kind, id],
  )

describe('invitations', () => {
  it('emails a link; the recipient sets name and password and is active with the offered role', async () => {
    const cookie = await asAdmin()
    const { id, email, token } = await invite(cookie)
    const link = await emailedLink(server, email)
    expect(`${link.origin}${link.pathname}`).toBe('http://refyne.example/invitation')
    expect(await readResponse(await look(token))).toEqual([200, { email, role: 'provider', invitedBy: 'Test admin' }])

    const joined = await readResponse(await accept(token))
    expect(joined).toMatchObject([200, { email, role: 'provider', status: 'active', fullName: 'Ines Okafor' }])
    const mine = await server.newSession(email)
    expect((await server.send('GET', '/api/contacts', undefined, mine)).status).toBe(200)
    const waiting = (await readResponse(await server.send('GET', '/api/invitations', undefined, cookie)))[1]
    expect(waiting).not.toContainEqual(expect.objectContaining({ id }))
    expect(await auditOf('invitation', id)).toMatchObject([{ action: 'created', actor_role: 'admin' }])
    expect(await auditOf('account', joined[1].id)).toMatchObject([
      { action: 'created', actor_role: 'visitor', after: { role: 'provider' } },
    ])
  })

  it('accepts a link once, even in six simultaneous requests', async () => {
    const { token, email } = await invite(await asAdmin())
    const answers = await Promise.all(Array.from({ length: 6 }, async () => (await accept(token)).status))
    expect(answers.toSorted()).toEqual([200, 410, 410, 410, 410, 410])
    expect(await server.rows('select 1 from profiles where email = $1', [email])).toHaveLength(1)
    expect(await readResponse(await look(token))).toMatchObject([410, { code: 'LINK_INVALID' }])
  })

  it('expires after 7 days, and when withdrawn or resent', async () => {
    const cookie = await asAdmin()
    const late = await invite(cookie)
    const [row] = await server.rows<{ days: number }>(
      'select extract(epoch from expires_at - sent_at) / 86400 as days from invitations where id = $1',
      [late.id],
    )
    expect(Number(row?.days)).toBe(7)
    await server.rows("update invitations set expires_at = now() - interval '1 second' where id = $1", [late.id])
    const withdrawn = await invite(cookie)
    expect((await server.send('DELETE', `/api/invitations/${withdrawn.id}`, undefined, cookie)).status).toBe(200)
    expect((await server.send('DELETE', `/api/invitations/${withdrawn.id}`, undefined, cookie)).status).toBe(404)
    const replaced = await invite(cookie)
    expect((await server.send('POST', `/api/invitations/${replaced.id}/resend`, {}, cookie)).status).toBe(200)
    for (const { token } of [late, withdrawn, replaced, { token: 'made-up' }]) {
      expect((await look(token)).status).toBe(410)
      expect((await accept(token)).status).toBe(410)
    }
    expect((await accept(tokenOf(await emailedLink(server, replaced.email, 2)))).status).toBe(200)
    expect((await server.send('POST', `/api/invitations/${late.id}/resend`, {}, cookie)).status).toBe(200)
    expect((await accept(tokenOf(await emailedLink(server, late.email, 2)))).status).toBe(200)
    expect(await auditOf('invitation', withdrawn.id)).toMatchObject([{ action: 'created' }, { action: 'deleted' }])
  })

  it.each([{ status: 'disabled' }, { role: 'billing' }])(
    'a link is over with %o for the administrator who sent it; another one may send it again',
    async (change) => {
      const [leaving, staying] = [await server.account({ role: 'admin' }), await asAdmin()]
      const { id, email, token } = await invite(leaving.cookie, newAddress(), 'admin')
      const other = await invite(staying)
      expect((await server.send('PATCH', `/api/accounts/${leaving.id}`, change, staying)).status).toBe(200)
      expect((await look(token)).status).toBe(410)
      expect((await accept(token)).status).toBe(410)
      expect(await server.rows('select 1 from profiles where email = $1', [email])).toEqual([])
      expect((await look(other.token)).status).toBe(200)
      expect(await auditOf('invitation', id)).toMatchObject([{ action: 'created' }, { action: 'changed', actor_role: 'admin' }])

      expect((await server.send('POST', `/api/invitations/${id}/resend`, {}, staying)).status).toBe(200)
      expect((await accept(tokenOf(await emailedLink(server, email, 2)))).status).toBe(200)
    },
  )

  it('refuses an address that has an account or invitation without emailing it, and merges simultaneous invitations', async () => {
    const cookie = await asAdmin()
    const { email } = await server.account()
    expect(
      await readResponse(await server.send('POST', '/api/invitations', { email: email.toUpperCase(), role: 'billing' }, cookie)),
    ).toMatchObject([409, { code: 'EMAIL_TAKEN' }])
    const fresh = newAddress()
    const answers = await Promise.all(
      [1, 2, 3].map(async () => (await server.send('POST', '/api/invitations', { email: fresh, role: 'billing' }, cookie)).status),
    )
    expect(answers.toSorted()).toEqual([200, 409, 409])
    await emailsTo(server, fresh)
    expect(server.outbox.messages.filter(({ To }) => To === fresh)).toHaveLength(1)
    expect(server.outbox.messages.filter(({ To }) => To === email)).toEqual([])
  })

  it('replaces an unapproved sign-up and its password, but not an account that an administrator has reviewed', async () => {
    const cookie = await asAdmin()
    const taken = await invite(cookie)
    const squatter = { firstName: 'Mallory', lastName: 'Grey', email: taken.email, password: 'another-Long-passphrase' }
    expect((await server.send('POST', '/api/auth/sign-up', squatter)).status).toBe(200)
    expect((await accept(taken.token)).status).toBe(200)
    expect((await server.send('POST', '/api/auth/sign-in', { email: taken.email, password: squatter.password })).status).toBe(401)
    expect((await server.send('POST', '/api/auth/sign-in', { email: taken.email, password })).status).toBe(200)

    const before = newAddress()
    expect((await server.send('POST', '/api/auth/sign-up', { ...squatter, email: before })).status).toBe(200)
    await emailsTo(server, before)
    expect((await server.send('POST', '/api/invitations', { email: before, role: 'provider' }, cookie)).status).toBe(200)
    expect((await accept(tokenOf(await emailedLink(server, before, 2)))).status).toBe(200)
    expect((await server.send('POST', '/api/auth/sign-in', { email: before, password: squatter.password })).status).toBe(401)
    expect((await server.send('POST', '/api/auth/sign-in', { email: before, password })).status).toBe(200)

    const other = await invite(cookie)
    await server.account({ email: other.email, status: 'disabled' })
    expect((await accept(other.token)).status).toBe(410)
    expect(await server.rows('select status from profiles where email = $1', [other.email])).toEqual([{ status: 'disabled' }])
  })

  it.each([
    [{ role: 'admin' }, 'role'],
    [{ email: 'other@elsewhere.example' }, 'email'],
    [{ firstName: ' ' }, 'firstName'],
    [{ password: 'password' }, 'password'],
  ])('refuses changes to the invitation and invalid fields: %o', async (given, field) => {
    const { token } = await invite(await asAdmin())
    expect(await readResponse(await accept(token, given))).toMatchObject([422, { data: { fields: { [field]: expect.any(String) } } }])
    expect((await accept(token)).status).toBe(200)
  })

  it('stores only hashes of links', async () => {
    const { id, token } = await invite(await asAdmin())
    const [row] = await server.rows<{ token_hash: string }>('select token_hash from invitations where id = $1', [id])
    expect(row?.token_hash).not.toBe(token)
    expect((await look(row?.token_hash ?? '')).status).toBe(410)
  })

  it('limits emails per address', async () => {
    const cookie = await asAdmin()
    const { id } = await invite(cookie)
    const statuses = []
    for (let sent = 1; sent < 7; sent++) statuses.push((await server.send('POST', `/api/invitations/${id}/resend`, {}, cookie)).status)
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429])
  })
})

describe('account administration', () => {
  it('applies a new role immediately: sessions and streams end, and the audit log has both values', async () => {
    const cookie = await asAdmin()
    const account = await server.account({ role: 'billing' })
    const stream = await openStream(server.url, account.cookie)
    expect(await readResponse(await server.send('PATCH', `/api/accounts/${account.id}`, { role: 'provider' }, cookie))).toMatchObject([
      200,
      { role: 'provider', twoFactorEnabled: false },
    ])
    await stream.ended(5_000)
    expect((await server.send('GET', '/api/tags', undefined, account.cookie)).status).toBe(401)
    expect(await auditOf('account', account.id)).toEqual([
      {
        action: 'changed',
        actor_role: 'admin',
        before: { id: account.id, role: 'billing', status: 'active' },
        after: { id: account.id, role: 'provider', status: 'active' },
      },
    ])
  })

  it('disables and re-enables an account', async () => {
    const cookie = await asAdmin()
    const account = await server.account()
    await server.send('PATCH', `/api/accounts/${account.id}`, { status: 'disabled' }, cookie)
    expect((await server.send('POST', '/api/auth/sign-in', { email: account.email, password })).status).toBe(403)
    await server.send('PATCH', `/api/accounts/${account.id}`, { status: 'active' }, cookie)
    await server.newSession(account.email)
  })

  it('returns 404 for a two-factor reset of an unknown account', async () => {
    expect((await server.send('POST', `/api/accounts/${randomUUID()}/two-factor-reset`, {}, await asAdmin())).status).toBe(404)
  })
})
