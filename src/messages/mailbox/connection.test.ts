import { describe, expect, it } from 'vitest'
import { codeFrom } from '../../../demo/messages/mailboxes.ts'
import { signatureOf } from '../../../simulators/nylas/webhooks.ts'
import { createMailboxOwner, nylasSecret, useMailboxes } from '../../../test/messages/mailbox.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { refusal } from '../../../test/refusal.ts'

describe('connecting a mailbox', () => {
  const post = useMailboxes()

  it.each(['nylas', 'gmail'] as const)('%s: connects through the provider’s own pages, and seals the credentials', async (provider) => {
    const { client, account, grantId } = await createMailboxOwner(post, provider)
    expect(await client.mailbox.connection()).toEqual({
      connected: true,
      grantId,
      state: 'connected',
      email: account.email,
      provider,
      offers: ['nylas', 'gmail'],
    })
    const [row] = await post.server.rows<{ sealed: string; grant_hash: string | null }>('select * from mailbox_connections where id = $1', [
      grantId,
    ])
    expect(row!.sealed).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
    for (const { id } of post.nylas.grants()) expect(JSON.stringify(row)).not.toContain(id)
  })

  it('reports the connection as connected and grantId, or as false and null (spec 7)', async () => {
    const { cookie } = await post.server.account()
    const answer = await post.server.send('GET', '/api/user/nylas-connection', undefined, cookie)
    expect(await answer.json()).toMatchObject({ connected: false, grantId: null, state: 'none' })
  })

  it('accepts a provider’s callback once, only from the person who started it and for that provider', async () => {
    const client = post.server.client((await post.server.account()).cookie)
    const other = post.server.client((await post.server.account()).cookie)
    const callback = await codeFrom((await client.mailbox.connect({ provider: 'nylas' })).url)
    const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject({ status: 409, code: 'STATE' })
    await refused(other.mailbox.finish({ provider: 'nylas', ...callback }))
    await refused(client.mailbox.finish({ provider: 'gmail', ...callback }))
    await refused(client.mailbox.finish({ provider: 'nylas', ...callback, state: 'made-up' }))
    expect(await client.mailbox.finish({ provider: 'nylas', ...callback })).toMatchObject({ connected: true })
    await refused(client.mailbox.finish({ provider: 'nylas', ...callback }))
    const again = await codeFrom((await client.mailbox.connect({ provider: 'nylas' })).url)
    const madeUp = client.mailbox.finish({ provider: 'nylas', ...again, code: 'made-up' })
    await expect(madeUp).rejects.toMatchObject({ status: 409, code: 'CODE' })
    const late = await codeFrom((await client.mailbox.connect({ provider: 'nylas' })).url)
    await post.server.rows("update oauth_attempts set expires_at = now() - interval '1 second'")
    await refused(client.mailbox.finish({ provider: 'nylas', ...late }))
    expect(await client.mailbox.connection(), 'the one before stays').toMatchObject({ connected: true })
  })

  it('reports a provider that is unavailable during sign-in, and allows another attempt', async () => {
    const client = post.server.client((await post.server.account()).cookie)
    const callback = await codeFrom((await client.mailbox.connect({ provider: 'nylas' })).url)
    post.nylas.setOffline(true)
    const away = client.mailbox.finish({ provider: 'nylas', ...callback })
    await expect(away.finally(() => post.nylas.setOffline(false))).rejects.toMatchObject({ status: 503, code: 'AWAY' })
    expect(await client.mailbox.connection()).toMatchObject({ connected: false })
  })

  it('asks to reconnect after a grant ended, notifies only its owner, and recovers afterwards', async () => {
    const owner = await createMailboxOwner(post)
    const grant = post.nylas.grants().find(({ email }) => email === owner.email)!
    await post.nylas.expire(grant.id)
    await until(async () => (await owner.client.mailbox.connection()).state === 'reconnect')
    expect((await refusal(owner.client.mailbox.folders())).code).toBe('RECONNECT')
    const { url } = await owner.client.mailbox.connect({ provider: 'nylas' })
    const callback = await codeFrom(`${url}&login_hint=${encodeURIComponent(owner.email)}`)
    const connected = await owner.client.mailbox.finish({ provider: 'nylas', ...callback })
    expect(connected).toMatchObject({ connected: true, grantId: owner.grantId })
    expect((await owner.client.mailbox.folders()).length).toBeGreaterThan(3)
  })

  it('detects a grant that ended without a notification on the next call', async () => {
    const owner = await createMailboxOwner(post)
    await post.nylas.setWebhook(undefined)
    await post.nylas.expire(post.nylas.grants().find(({ email }) => email === owner.email)!.id)
    expect((await refusal(owner.client.mailbox.threads({}))).code).toBe('RECONNECT')
    expect(await owner.client.mailbox.connection()).toMatchObject({ connected: false, state: 'reconnect', grantId: owner.grantId })
  })

  it('Gmail: asks to reconnect when access was revoked', async () => {
    const owner = await createMailboxOwner(post, 'gmail')
    post.gmail.revoke(owner.email)
    post.gmail.expireAccess()
    expect((await refusal(owner.client.mailbox.folders())).code).toBe('RECONNECT')
    expect(await owner.client.mailbox.connection()).toMatchObject({ state: 'reconnect' })
  })

  it('Gmail: renews and stores an expired access token', async () => {
    const owner = await createMailboxOwner(post, 'gmail')
    const sealed = async () =>
      (await post.server.rows<{ sealed: string }>('select sealed from mailbox_connections where id = $1', [owner.grantId]))[0]!.sealed
    const before = await sealed()
    post.gmail.expireAccess()
    expect((await owner.client.mailbox.folders()).length).toBeGreaterThan(3)
    expect(await sealed()).not.toBe(before)
  })

  it('ignores a late or repeated notification of a grant that has since been reconnected', async () => {
    const owner = await createMailboxOwner(post)
    const { id: grant_id } = post.nylas.grants().find(({ email }) => email === owner.email)!
    const tell = async (time: number) => {
      const body = JSON.stringify({
        specversion: '1.0',
        type: 'grant.expired',
        id: crypto.randomUUID(),
        time,
        data: { object: { grant_id } },
      })
      const headers = { 'content-type': 'application/json', 'x-nylas-signature': signatureOf(body, nylasSecret) }
      const { status } = await post.server.request('/api/hooks/nylas', { method: 'POST', headers, body })
      expect(status).toBe(200)
      return (await owner.client.mailbox.connection()).state
    }
    const now = Math.floor(Date.now() / 1000)
    expect(await tell(now - 60)).toBe('connected')
    expect(await tell(now + 60)).toBe('reconnect')
  })

  /** Whether the provider still knows of access to a mailbox. */
  const isKnown = {
    nylas: (email: string) => post.nylas.grants().some((grant) => grant.email === email),
    gmail: (email: string) => post.gmail.grants().some((grant) => grant.email === email),
  }

  it.each(['nylas', 'gmail'] as const)(
    '%s: disconnecting deletes the access here and at the provider, unless a colleague shares it',
    async (provider) => {
      const shared = `${crypto.randomUUID()}@clinic.example`
      const [first, second] = [await createMailboxOwner(post, provider, shared), await createMailboxOwner(post, provider, shared)]
      expect(await first.client.mailbox.disconnect()).toMatchObject({ connected: false, grantId: null, state: 'none' })
      expect((await second.client.mailbox.folders()).length).toBeGreaterThan(3)
      await second.client.mailbox.disconnect()
      expect(isKnown[provider](shared)).toBe(false)
      expect((await refusal(second.client.mailbox.folders())).code).toBe('NOT_CONNECTED')
    },
  )

  it.each(['nylas', 'gmail'] as const)(
    '%s: keeps the access when reconnecting, and ends it when connecting another mailbox',
    async (provider) => {
      const owner = await createMailboxOwner(post, provider)
      const connect = async (email: string) => {
        const { url } = await owner.client.mailbox.connect({ provider })
        await owner.client.mailbox.finish({ provider, ...(await codeFrom(`${url}&login_hint=${encodeURIComponent(email)}`)) })
        expect((await owner.client.mailbox.folders()).length).toBeGreaterThan(3)
      }
      await connect(owner.email)
      const other = `${crypto.randomUUID()}@clinic.example`
      await connect(other)
      expect([owner.email, other].map(isKnown[provider])).toEqual([false, true])
    },
  )
})

describe('an installation without mailbox credentials', () => {
  const server = useServer()

  it('offers no provider, and says so', async () => {
    const client = await server.as('admin')
    expect(await client.mailbox.connection()).toMatchObject({ offers: [], connected: false })
    await expect(client.mailbox.connect({ provider: 'gmail' })).rejects.toMatchObject({ status: 409, code: 'NOT_SET_UP' })
    const answer = await server.request('/api/hooks/nylas?challenge=abc')
    expect(answer.status).toBe(404)
  })
})
