import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import type { KeyScope } from '../../kernel/access/key-rules.ts'

const day = 24 * 3_600_000
let offset = 0

describe('API keys', () => {
  const server = useServer({ API_CALLS_PER_MINUTE: '40' }, { now: () => new Date(Date.now() + offset) })

  /** Creates a key for a new administrator. */
  const keyOf = async (scopes: KeyScope[], days = 30) => {
    const account = await server.account({ role: 'admin' })
    const { token, key } = await server.client(account.cookie).apiKeys.create({ name: 'Warehouse', scopes, days })
    return { account, token, key }
  }
  const ask = (token: string, path: string, init: RequestInit = {}) =>
    server.request(path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  const create = (token: string, body: object) =>
    ask(token, '/api/contacts', { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const ana = () => ({ firstName: 'Ana', lastName: 'Silva', email: `${crypto.randomUUID()}@elsewhere.example` })

  it('reads what its scopes allow and nothing else: 403 for other features, writes, accounts and keys', async () => {
    const { token } = await keyOf(['contacts:read'])
    expect((await ask(token, '/api/contacts')).status).toBe(200)
    expect((await create(token, ana())).status).toBe(403)
    for (const path of ['/api/tags', '/api/tasks', '/api/api-keys', '/api/accounts', '/api/people', '/api/auth/session', '/api/events'])
      expect([path, (await ask(token, path)).status]).toEqual([path, 403])
    const answer = await ask(token, '/api/tags')
    expect(await answer.json()).toMatchObject({ code: 'FORBIDDEN', message: 'This API key may not do this' })
  })

  it('writes on behalf of its owner, and the audit log names the key', async () => {
    const { token, key, account } = await keyOf(['contacts:write', 'contacts:read'])
    const answer = await create(token, ana())
    expect(answer.status).toBe(200)
    const { id } = (await answer.json()) as { id: string }
    const rows = await server.rows('select actor_id, actor_role, action, kind from audit_log where request_id = $1', [
      answer.headers.get('x-request-id'),
    ])
    expect(rows).toContainEqual({ actor_id: key.id, actor_role: 'api_key', action: 'created', kind: 'contact' })
    const seen = await ask(token, `/api/contacts/${id}`)
    expect(seen.status).toBe(200)
    expect(
      await server.rows('select distinct actor_id, actor_role from audit_log where request_id = $1', [seen.headers.get('x-request-id')]),
    ).toEqual([{ actor_id: key.id, actor_role: 'api_key' }])
    const history = await server.client(account.cookie).contacts.history({ id })
    expect(history.data.map(({ byRole, byKey }) => [byRole, byKey])).toContainEqual(['api_key', 'Warehouse'])
  })

  it('records refused requests under the key in the audit log', async () => {
    const { token, key } = await keyOf(['contacts:read'])
    const answer = await ask(token, '/api/tasks')
    const rows = await server.rows('select actor_id, actor_role, action, kind from audit_log where request_id = $1', [
      answer.headers.get('x-request-id'),
    ])
    expect(rows).toEqual([{ actor_id: key.id, actor_role: 'api_key', action: 'denied', kind: 'tasks.list' }])
  })

  it('applies the same scopes to files: exports need patient access, documents need document access', async () => {
    const contactId = await insertContact(server)
    const { token } = await keyOf(['contacts:read'])
    const file = await ask(token, '/api/contacts/export.csv')
    expect(file.status).toBe(200)
    await file.text()
    expect((await ask(token, `/api/documents/${crypto.randomUUID()}/file`)).status).toBe(403)
    expect((await ask(token, `/api/contacts/${contactId}/documents?name=a.pdf`, { method: 'POST', body: 'a' })).status).toBe(403)
    const documents = await keyOf(['documents:read'])
    expect((await ask(documents.token, `/api/documents/${crypto.randomUUID()}/file`)).status).toBe(404)
  })

  it('shows the key once and stores only a hash', async () => {
    const { token, account } = await keyOf(['tags:read'])
    const list = await server.send('GET', '/api/api-keys', undefined, account.cookie)
    expect(await list.text()).not.toContain(token)
    const { rows } = { rows: await server.rows<{ all: string }>('select string_agg(k::text, $1) as all from api_keys as k', [' ']) }
    expect(rows[0]!.all).not.toContain(token)
    const audited = await server.rows<{ all: string }>("select string_agg(a::text, ' ') as all from audit_log as a where kind = 'api-key'")
    expect(audited[0]!.all).not.toContain(token.slice(12))
  })

  it('stops working immediately and permanently after revocation; revoking again is not an error', async () => {
    const { token, key, account } = await keyOf(['tags:read'])
    expect((await ask(token, '/api/tags')).status).toBe(200)
    const client = server.client(account.cookie)
    await client.apiKeys.revoke({ id: key.id })
    const refused = await ask(token, '/api/tags')
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ code: 'INVALID_API_KEY' })
    const again = await client.apiKeys.revoke({ id: key.id })
    expect(again.revokedAt).not.toBeNull()
    await expect(client.apiKeys.revoke({ id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  })

  it('stops working after it expires, even while cached', async () => {
    const { token } = await keyOf(['tags:read'], 1)
    try {
      expect((await ask(token, '/api/tags')).status).toBe(200)
      offset = day + 1_000
      expect((await ask(token, '/api/tags')).status).toBe(401)
    } finally {
      offset = 0
    }
  })

  it.each([null, undefined, 0, 366])('requires an expiry of at most one year: refuses %s days', async (days) => {
    const cookie = await server.signIn('admin')
    const answer = await server.send('POST', '/api/api-keys', { name: 'x', scopes: ['tags:read'], days }, cookie)
    expect([answer.status, await answer.json()]).toMatchObject([422, { data: { fields: { days: expect.any(String) as string } } }])
  })

  it('keeps accepting a key created before expiry was mandatory', async () => {
    const { token, key, account } = await keyOf(['tags:read'], 365)
    await server.rows('update api_keys set expires_at = null where id = $1', [key.id])
    offset = 400 * day
    try {
      expect((await ask(token, '/api/tags')).status).toBe(200)
    } finally {
      offset = 0
    }
    const list = await server.client(account.cookie).apiKeys.list()
    expect(list.find(({ id }) => id === key.id)).toMatchObject({ expiresAt: null })
  })

  it.each([{ role: 'billing' as const }, { status: 'disabled' as const }])(
    'never does more than its maker: an account that is made %o takes its key along',
    async (change) => {
      const { token, account } = await keyOf(['documents:read', 'collections:read'])
      expect((await ask(token, '/api/documents/waiting')).status).toBe(200)
      await (await server.as('admin')).people.update({ id: account.id, ...change })
      expect((await ask(token, '/api/documents/waiting')).status).toBe('status' in change ? 401 : 403)
      expect((await ask(token, '/api/collections/outstanding')).status).toBe('status' in change ? 401 : 200)
    },
  )

  it('returns 401 for an unknown key regardless of cookies, and ignores other Bearer tokens', async () => {
    const cookie = await server.signIn('admin')
    const headers = { cookie, authorization: 'Bearer refyne_made-up' }
    expect((await server.request('/api/tags', { headers })).status).toBe(401)
    expect((await server.request('/api/contacts/export.csv', { headers })).status).toBe(401)
    expect((await server.request('/api/tags', { headers: { cookie, authorization: 'Bearer something' } })).status).toBe(200)
    expect((await server.request('/api/tags', { headers: { cookie, authorization: 'Basic YTpi' } })).status).toBe(200)
  })

  it('returns 429 when one key makes too many calls in a minute, without affecting others', async () => {
    const { token } = await keyOf(['tags:read'])
    const statuses = await Promise.all(Array.from({ length: 45 }, async () => (await ask(token, '/api/tags')).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    const other = await keyOf(['tags:read'])
    expect((await ask(other.token, '/api/tags')).status).toBe(200)
  })

  it('records the last use to the minute', async () => {
    const { token, key, account } = await keyOf(['tags:read'])
    const shown = async () => (await server.client(account.cookie).apiKeys.list()).find(({ id }) => id === key.id)!
    expect((await shown()).lastUsedAt).toBeNull()
    await ask(token, '/api/tags')
    expect((await shown()).lastUsedAt).not.toBeNull()
  })

  it('accepts only existing scopes, and at least one', async () => {
    const cookie = await server.signIn('admin')
    for (const scopes of [[], ['people:read'], ['*'], ['contacts:read', 'auth:write']]) {
      const answer = await server.send('POST', '/api/api-keys', { name: 'x', scopes, days: 30 }, cookie)
      expect([scopes, answer.status]).toEqual([scopes, 422])
    }
  })

  it("notifies administrators' pages, and no one else's", async () => {
    const other = await openStream(server.url, (await server.account({ role: 'billing' })).cookie)
    const stream = await openStream(server.url, (await server.account({ role: 'admin' })).cookie)
    const { key } = await keyOf(['tags:read'])
    await stream.next((event) => event.topic === 'api-key' && event.id === key.id)
    const tag = await (await server.as('admin')).tags.create({ name: crypto.randomUUID() })
    const heard = await other.next((event) => event.topic === 'api-key' || event.id === tag.id)
    expect(heard.id).toBe(tag.id)
    stream.close()
    other.close()
  })
})
