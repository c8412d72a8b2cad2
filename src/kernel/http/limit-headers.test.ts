import { describe, expect, inject, it } from 'vitest'
import { startTestServer, useServer, webhookKey } from '../../../test/server.ts'
import { type LimitUse, limitHeaders } from './limit-headers.ts'

const use = (given: Partial<LimitUse> = {}): LimitUse => ({
  name: 'token',
  quota: 60,
  windowSeconds: 900,
  remaining: 59,
  resetMs: 899_200,
  isExceeded: false,
  isAboutSubject: false,
  ...given,
})
const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers })

describe('rate limit headers', () => {
  it.each([
    ['are omitted without limits', [], answer(200), {}],
    [
      'contain the policy and the latest remaining count of each limit',
      [use({ remaining: 60 }), use({ name: 'mail-address', quota: 30, remaining: 3, resetMs: 60_000 }), use()],
      answer(200),
      { 'ratelimit-policy': '"token";q=60;w=900, "mail-address";q=30;w=900', ratelimit: '"token";r=59;t=900, "mail-address";r=3;t=60' },
    ],
    ['omit limits that are counted for another person', [use({ isAboutSubject: true })], answer(200), {}],
    [
      'contain the longest wait with a 429',
      [use({ isExceeded: true, isAboutSubject: true, resetMs: 4_001 })],
      answer(429),
      { 'retry-after': '5' },
    ],
    ['keep an existing retry time without a limit', [], answer(429, { 'retry-after': '60' }), { 'retry-after': '60' }],
    ['contain a default wait with any other 429', [], answer(429), { 'retry-after': '5' }],
  ])('%s', (_, uses, response, expected) => {
    expect(limitHeaders(uses, response.status, response.headers)).toEqual(expected)
  })
})

describe('rate limit headers of routes', () => {
  const server = useServer({ LEADS_PER_MINUTE_PER_KEY: '50' })
  const namesIn = (response: Response) =>
    [...(response.headers.get('ratelimit') ?? '').matchAll(/"([\w-]+)";r=\d+;t=\d+/g)].map(([, name]) => name)

  it('are sent on sign-in', async () => {
    const answer = await server.send('POST', '/api/auth/sign-in', { email: 'nobody@clinic.example', password: 'x' })
    expect(answer.status).toBe(401)
    expect(namesIn(answer)).toEqual(['sign-in', 'sign-in-address'])
    expect(answer.headers.get('ratelimit-policy')).toContain('"sign-in";q=10;w=600')
    expect(answer.headers.get('ratelimit')).toContain('"sign-in";r=9;t=')
  })

  it('are sent by lead intake, webhooks, exports and API keys', async () => {
    const lead = await server.send('POST', `/api/leads/${webhookKey}`, {
      firstName: 'Ana',
      lastName: 'Silva',
      email: 'ana@patient.example',
    })
    expect([lead.status, namesIn(lead)]).toEqual([202, ['lead-address', 'lead-key']])
    expect(namesIn(await server.send('POST', '/api/hooks/postmark/inbound', {}))).toEqual(['hook-address'])
    const list = await server.request('/api/contacts/export.csv', { headers: { cookie: await server.signIn('admin') } })
    expect(namesIn(list)).toEqual(['list-export'])
    await list.arrayBuffer()
    const wrong = await server.request('/api/tags', { headers: { authorization: 'bearer refyne_made-up' } })
    expect([wrong.status, namesIn(wrong)]).toEqual([401, ['wrong-api-key']])
  })

  it('are not sent by an unlimited call', async () => {
    const answer = await server.send('GET', '/api/auth/session')
    expect([answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')]).toEqual([null, null])
  })
})

describe('the limit of webhooks', () => {
  const server = useServer({ HOOKS_PER_MINUTE: '3', POSTMARK_HOOK_PASSWORD: 'a-long-password-of-hooks' })
  const post = async (password: string) => {
    const authorization = `Basic ${Buffer.from(`postmark:${password}`).toString('base64')}`
    const init = { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}' }
    return (await server.request('/api/hooks/postmark/events', init)).status
  }

  it('counts posts without the password: Postmark does not repeat what was refused', async () => {
    for (let n = 0; n < 5; n++) expect(await post('a-long-password-of-hooks')).toBe(422)
    const wrong = []
    for (let n = 0; n < 4; n++) wrong.push(await post('another-password'))
    expect(wrong).toEqual([401, 401, 401, 429])
    expect(await post('a-long-password-of-hooks')).toBe(422)
  })
})

describe('limits shared by all processes', () => {
  it('include wrong API keys and exports counted by another process', async () => {
    const server = await startTestServer(inject('postgres'), { TRUST_PROXY: 'true' })
    try {
      const { id, cookie } = await server.account({ role: 'admin' })
      const count = (key: string, points: number) =>
        server.rows('insert into rate_limits (key, points, expire) values ($1, $2, (extract(epoch from now()) * 1000 + 50000)::bigint)', [
          key,
          points,
        ])
      await count('wrong-api-key:10.4.4.4', 60)
      const headers = { authorization: 'Bearer refyne_made-up', 'x-forwarded-for': '10.4.4.4' }
      const refused = await server.request('/api/tags', { headers })
      expect([refused.status, Number(refused.headers.get('retry-after')) > 30]).toEqual([429, true])
      await count(`list-export:patients ${id}`, 60)
      const list = await server.request('/api/contacts/export.csv', { headers: { cookie } })
      expect([list.status, Number(list.headers.get('retry-after')) > 30]).toEqual([429, true])
    } finally {
      await server.stop()
    }
  })
})
