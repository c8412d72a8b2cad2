import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { password, useServer } from '../../../../test/server.ts'
import { openStream } from '../../../../test/network/stream.ts'
import { formatDevice } from '../../../shared/devices.ts'

const readResponse = async (response: Response) => [response.status, await response.json().catch(() => null)] as const
const server = useServer({ TRUST_PROXY: 'true' })

describe('own name', () => {
  it('is changed, trimmed and audited, and colleagues see it', async () => {
    const account = await server.account()
    const answer = await server.send('PATCH', '/api/account/profile', { firstName: ' Zoë ', lastName: 'Nguyễn' }, account.cookie)
    expect(await readResponse(answer)).toMatchObject([
      200,
      { id: account.id, firstName: 'Zoë', fullName: 'Zoë Nguyễn', email: account.email },
    ])
    const [, { user }] = await readResponse(await server.send('GET', '/api/auth/session', undefined, account.cookie))
    expect(user.fullName).toBe('Zoë Nguyễn')
    expect(await (await server.as('billing')).people.list()).toContainEqual(expect.objectContaining({ fullName: 'Zoë Nguyễn' }))
    expect(
      await server.rows("select action, before, after from audit_log where kind = 'account' and after->>'id' = $1", [account.id]),
    ).toEqual([
      {
        action: 'changed',
        before: { id: account.id, firstName: 'Test', lastName: 'front_desk' },
        after: { id: account.id, firstName: 'Zoë', lastName: 'Nguyễn' },
      },
    ])
  })

  it.each([{ firstName: '' }, { role: 'admin' }, { email: 'other@elsewhere.example' }, { id: randomUUID() }, { status: 'active' }])(
    '%o is refused',
    async (given) => {
      const account = await server.account()
      const sent = { firstName: 'Zoë', lastName: 'Nguyễn', ...given }
      expect((await server.send('PATCH', '/api/account/profile', sent, account.cookie)).status).toBe(422)
      expect(await server.rows('select role, email from profiles where id = $1', [account.id])).toEqual([
        { role: 'front_desk', email: account.email },
      ])
    },
  )
})

describe('active sessions', () => {
  const signInAs = async (email: string, userAgent: string, address: string) => {
    const answer = await fetch(`${server.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
    })
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  const list = async (cookie: string) => {
    const [status, lines] = await readResponse(await server.send('GET', '/api/account/sessions', undefined, cookie))
    expect(status).toBe(200)
    return lines as { id: string; device: string; address: string; isCurrent: boolean }[]
  }
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

  it("lists each session with device and address, marks the current one, and hides other users' sessions", async () => {
    const { email, cookie } = await server.account()
    await server.account()
    await signInAs(email, phone, '203.0.113.7')
    const lines = await list(cookie)
    expect(lines).toHaveLength(2)
    expect(lines.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect(lines.find(({ isCurrent }) => !isCurrent)).toMatchObject({ device: 'Safari on iPhone', address: '203.0.113.7' })
    expect(JSON.stringify(lines)).not.toContain(decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0])
  })

  it('ends one session and its stream, and no other', async () => {
    const { email, cookie } = await server.account()
    const other = await signInAs(email, phone, '203.0.113.7')
    const [mine, theirs] = await Promise.all([openStream(server.url, cookie), openStream(server.url, other)])
    const line = (await list(cookie)).find(({ isCurrent }) => !isCurrent)
    expect((await server.send('DELETE', `/api/account/sessions/${line?.id}`, undefined, cookie)).status).toBe(200)
    await theirs.ended(5_000)
    expect((await server.send('GET', '/api/tags', undefined, other)).status).toBe(401)
    expect((await server.send('GET', '/api/tags', undefined, cookie)).status).toBe(200)
    const tag = await (await server.as('admin')).tags.create({ name: randomUUID() })
    await mine.next((event) => event.id === tag.id)
    mine.close()
    expect((await server.send('DELETE', `/api/account/sessions/${line?.id}`, undefined, cookie)).status).toBe(404)
  })

  it("does not find another account's session", async () => {
    const { cookie } = await server.account()
    const other = await server.account()
    const [line] = await list(other.cookie)
    expect((await server.send('DELETE', `/api/account/sessions/${line?.id}`, undefined, cookie)).status).toBe(404)
    expect((await server.send('GET', '/api/tags', undefined, other.cookie)).status).toBe(200)
  })

  it('ends all other sessions and keeps the current one', async () => {
    const { email, cookie } = await server.account()
    const others = await Promise.all([server.newSession(email), server.newSession(email)])
    expect((await server.send('DELETE', '/api/account/sessions', undefined, cookie)).status).toBe(200)
    for (const other of others) expect((await server.send('GET', '/api/tags', undefined, other)).status).toBe(401)
    expect(await list(cookie)).toMatchObject([{ isCurrent: true }])
  })
})

describe('device labels', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on Mac',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['node', 'API client'],
    ['', 'API client'],
  ])('%s', (userAgent, words) => expect(formatDevice(userAgent)).toBe(words))
})
