import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useServer } from '../../../test/server.ts'
import { openStream } from '../../../test/network/stream.ts'
import { until } from '../../../test/until.ts'

describe('limits on event streams', () => {
  const server = useServer()
  const ask = (cookie: string) => server.request('/api/events', { headers: { cookie } })
  const isOpen = async (cookie: string) => {
    const abort = new AbortController()
    const { status } = await server.request('/api/events', { headers: { cookie }, signal: abort.signal })
    abort.abort()
    return status === 200
  }

  it('refuses the 21st stream of a session with 429 and a retry time; other sessions have their own limit', async () => {
    const { email, cookie } = await server.account()
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(server.url, cookie)))
    const refused = await ask(cookie)
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      429,
      '60',
      { code: 'TOO_MANY_REQUESTS' },
    ])
    const elsewhere = await openStream(server.url, await server.newSession(email))
    streams[0]!.close()
    await until(() => isOpen(cookie))
    for (const stream of [elsewhere, ...streams]) stream.close()
  })

  it('frees the slot of a stream that its session ended', async () => {
    const { id, cookie } = await server.account()
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(server.url, cookie)))
    await server.rows('delete from sessions where user_id = $1', [id])
    await server.rows("select pg_notify('change', json_build_object('topic', 'session', 'id', $1::text)::text)", [id])
    for (const stream of streams) await stream.ended(5_000)
    expect((await ask(cookie)).status).toBe(401)
  })

  it('refuses the 5,001st stream of a process', async () => {
    const { cookie } = await server.account()
    const { reserveStream } = server.running.runtime.events
    const places = []
    for (let place = reserveStream(randomUUID()); place; place = reserveStream(randomUUID())) places.push(place)
    expect(places).toHaveLength(5_000)
    const refused = await ask(cookie)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    for (const release of places) release()
    expect(await isOpen(cookie)).toBe(true)
  })
})
