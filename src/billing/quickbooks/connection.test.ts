import { describe, expect, it } from 'vitest'
import { consentOf, useTill } from '../../../test/books.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

describe('issue 6: the connection to QuickBooks', () => {
  const till = useTill()
  const admin = () => till.server.as('admin')
  const search = async () => (await admin()).pos.searchCustomers({ query: `no one ${crypto.randomUUID()}`, type: 'name' })

  it('is connected over Intuit’s own pages; its tokens are stored sealed', async () => {
    expect(await (await admin()).quickbooks.status()).toMatchObject({ state: 'connected', companyName: 'Harbourview Plastic Surgery Inc.' })
    const [row] = await till.server.rows<Record<string, string>>('select access_token, refresh_token from quickbooks_connection')
    const tokens = till.books.connect()
    expect(JSON.stringify(row)).not.toContain(tokens.access_token)
    expect(row!.refresh_token).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
  })

  it('what Intuit sends back is worth something once, to who began it', async () => {
    const client = await admin()
    const callback = await consentOf(client)
    const other = till.server.client((await till.server.account({ role: 'admin' })).cookie)
    await expect(other.quickbooks.finish(callback)).rejects.toMatchObject({ status: 409, code: 'STATE' })
    await expect(client.quickbooks.finish({ ...callback, state: 'made-up' })).rejects.toMatchObject({ status: 409, code: 'STATE' })
    expect(await client.quickbooks.finish(callback)).toMatchObject({ state: 'connected' })
    await expect(client.quickbooks.finish(callback)).rejects.toMatchObject({ status: 409, code: 'STATE' })
    const made = await consentOf(client)
    await expect(client.quickbooks.finish({ ...made, code: 'made-up' })).rejects.toMatchObject({ status: 409, code: 'CODE' })
  })

  it('an attempt ends after ten minutes', async () => {
    const callback = await consentOf(await admin())
    await till.server.rows("update oauth_attempts set expires_at = now() - interval '1 second'")
    await expect((await admin()).quickbooks.finish(callback)).rejects.toMatchObject({ code: 'STATE' })
  })

  it('a token that ended is refreshed once, however many need it at once; the newest refresh token is kept', async () => {
    for (let round = 0; round < 3; round++) {
      till.books.resetCalls()
      await till.server.rows("update quickbooks_connection set access_expires_at = now() - interval '1 minute'")
      const found = await Promise.all(Array.from({ length: 20 }, search))
      expect(found.every(({ isUnavailable }) => !isUnavailable)).toBe(true)
      expect(till.books.refreshes()).toEqual({ count: 1, maxParallel: 1 })
    }
  })

  it('a token that QuickBooks refuses before its time is refreshed, and the call made again', async () => {
    till.books.fault({ kind: 'status', status: 401 })
    till.books.resetCalls()
    expect((await search()).isUnavailable).toBe(false)
    expect(till.books.refreshes().count).toBe(1)
  })

  it('at most 8 calls are under way at once', async () => {
    till.books.resetCalls()
    await Promise.all(Array.from({ length: 40 }, search))
    expect(till.books.calls().queryCustomer).toBe(40)
    expect(till.books.maxParallel()).toBeLessThanOrEqual(8)
  })

  it('a limit passes: the calls behind a 429 wait as long as it asks', async () => {
    till.books.fault({ kind: 'status', status: 429, retryAfter: 1 })
    const began = Date.now()
    expect((await (await admin()).quickbooks.refresh()).state).toBe('connected')
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000)
  })

  it('while Intuit does not give tokens QuickBooks is away, not disconnected', async () => {
    await till.server.rows("update quickbooks_connection set access_expires_at = now() - interval '1 minute'")
    till.books.fault({ kind: 'status', status: 503, match: 'tokens/bearer' })
    expect((await search()).isUnavailable).toBe(true)
    expect(await (await admin()).quickbooks.status()).toMatchObject({ state: 'connected' })
    expect((await search()).isUnavailable).toBe(false)
  })

  it('a connection that was ended inside QuickBooks is shown, and connecting again mends it', async () => {
    till.books.disconnect()
    expect((await search()).isUnavailable).toBe(true)
    const client = await admin()
    await until(async () => (await client.quickbooks.status()).state === 'reconnect')
    await expect(client.quickbooks.refresh()).rejects.toMatchObject({ status: 409, code: 'RECONNECT' })
    await client.quickbooks.finish(await consentOf(client))
    expect((await search()).isUnavailable).toBe(false)
  })

  it('disconnecting forgets the tokens, and revokes them', async () => {
    const client = await admin()
    expect(await client.quickbooks.disconnect()).toMatchObject({ state: 'none' })
    expect(await till.server.rows('select 1 from quickbooks_connection')).toEqual([])
    expect(till.books.calls().revokeToken).toBe(1)
    await client.quickbooks.finish(await consentOf(client))
  })
})

describe('where QuickBooks is not set up', () => {
  const server = useServer()
  it('that is said, and no one is sent anywhere', async () => {
    const admin = await server.as('admin')
    expect(await admin.quickbooks.status()).toMatchObject({ state: 'off' })
    await expect(admin.quickbooks.connect()).rejects.toMatchObject({ status: 409, code: 'NOT_SET_UP' })
  })
})

describe('issue 6: where a receipt is opened in QuickBooks', () => {
  const credentials = { QUICKBOOKS_CLIENT_ID: 'a', QUICKBOOKS_CLIENT_SECRET: 'b' }
  const places = {
    'Intuit’s own site': { server: useServer(credentials), booksUrl: 'https://app.qbo.intuit.com' },
    'its sandbox': { server: useServer({ ...credentials, QUICKBOOKS_SANDBOX: 'true' }), booksUrl: 'https://app.sandbox.qbo.intuit.com' },
    'nowhere, where the books are at another address': {
      server: useServer({ ...credentials, QUICKBOOKS_URL: 'http://127.0.0.1:9' }),
      booksUrl: null,
    },
  }
  it.each(Object.entries(places))('%s', async (_, { server, booksUrl }) => {
    expect(await (await server.as('front_desk')).quickbooks.status()).toMatchObject({ booksUrl })
  })
})
