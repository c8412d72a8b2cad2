import { describe, expect, it } from 'vitest'
import { approveConnection, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

describe('QuickBooks connection', () => {
  const till = usePointOfSale()
  const admin = () => till.server.as('admin')
  const search = async () => (await admin()).pos.searchCustomers({ query: `no one ${crypto.randomUUID()}`, type: 'name' })

  it('connects through Intuit’s pages and stores the tokens sealed', async () => {
    expect(await (await admin()).quickbooks.status()).toMatchObject({ state: 'connected', companyName: 'Harbourview Plastic Surgery Inc.' })
    const [row] = await till.server.rows<Record<string, string>>('select access_token, refresh_token from quickbooks_connection')
    const tokens = till.quickBooks.connect()
    expect(JSON.stringify(row)).not.toContain(tokens.access_token)
    expect(row!.refresh_token).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
  })

  it('accepts Intuit’s callback once, from the user who started it', async () => {
    const client = await admin()
    const callback = await approveConnection(client)
    const other = till.server.client((await till.server.account({ role: 'admin' })).cookie)
    await expect(other.quickbooks.finish(callback)).rejects.toMatchObject({ status: 409, code: 'STATE' })
    await expect(client.quickbooks.finish({ ...callback, state: 'made-up' })).rejects.toMatchObject({ status: 409, code: 'STATE' })
    expect(await client.quickbooks.finish(callback)).toMatchObject({ state: 'connected' })
    await expect(client.quickbooks.finish(callback)).rejects.toMatchObject({ status: 409, code: 'STATE' })
    const made = await approveConnection(client)
    await expect(client.quickbooks.finish({ ...made, code: 'made-up' })).rejects.toMatchObject({ status: 409, code: 'CODE' })
  })

  it('expires an attempt after ten minutes', async () => {
    const callback = await approveConnection(await admin())
    await till.server.rows("update oauth_attempts set expires_at = now() - interval '1 second'")
    await expect((await admin()).quickbooks.finish(callback)).rejects.toMatchObject({ code: 'STATE' })
  })

  it('refreshes an expired token once for concurrent calls, and keeps the newest refresh token', async () => {
    for (let round = 0; round < 3; round++) {
      till.quickBooks.resetCalls()
      await till.server.rows("update quickbooks_connection set access_expires_at = now() - interval '1 minute'")
      const found = await Promise.all(Array.from({ length: 20 }, search))
      expect(found.every(({ isUnavailable }) => !isUnavailable)).toBe(true)
      expect(till.quickBooks.refreshes()).toEqual({ count: 1, maxParallel: 1 })
    }
  })

  it('refreshes a token that QuickBooks rejects early, and repeats the call', async () => {
    till.quickBooks.fault({ kind: 'status', status: 401 })
    till.quickBooks.resetCalls()
    expect((await search()).isUnavailable).toBe(false)
    expect(till.quickBooks.refreshes().count).toBe(1)
  })

  it('makes at most 8 concurrent calls', async () => {
    till.quickBooks.resetCalls()
    await Promise.all(Array.from({ length: 40 }, search))
    expect(till.quickBooks.calls().queryCustomer).toBe(40)
    expect(till.quickBooks.maxParallel()).toBeLessThanOrEqual(8)
  })

  it('waits after a 429 for as long as it asks', async () => {
    till.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 1 })
    const began = Date.now()
    expect((await (await admin()).quickbooks.refresh()).state).toBe('connected')
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000)
  })

  it('reports QuickBooks as unavailable, not disconnected, while Intuit issues no tokens', async () => {
    await till.server.rows("update quickbooks_connection set access_expires_at = now() - interval '1 minute'")
    till.quickBooks.fault({ kind: 'status', status: 503, match: 'tokens/bearer' })
    expect((await search()).isUnavailable).toBe(true)
    expect(await (await admin()).quickbooks.status()).toMatchObject({ state: 'connected' })
    expect((await search()).isUnavailable).toBe(false)
  })

  it('shows a connection that was ended in QuickBooks, and restores it by reconnecting', async () => {
    till.quickBooks.disconnect()
    expect((await search()).isUnavailable).toBe(true)
    const client = await admin()
    await until(async () => (await client.quickbooks.status()).state === 'reconnect')
    await expect(client.quickbooks.refresh()).rejects.toMatchObject({ status: 409, code: 'RECONNECT' })
    await client.quickbooks.finish(await approveConnection(client))
    expect((await search()).isUnavailable).toBe(false)
  })

  it('deletes and revokes the tokens on disconnect', async () => {
    const client = await admin()
    expect(await client.quickbooks.disconnect()).toMatchObject({ state: 'none' })
    expect(await till.server.rows('select 1 from quickbooks_connection')).toEqual([])
    expect(till.quickBooks.calls().revokeToken).toBe(1)
    await client.quickbooks.finish(await approveConnection(client))
  })
})

describe('an installation without QuickBooks', () => {
  const server = useServer()
  it('says so and redirects no one', async () => {
    const admin = await server.as('admin')
    expect(await admin.quickbooks.status()).toMatchObject({ state: 'off' })
    await expect(admin.quickbooks.connect()).rejects.toMatchObject({ status: 409, code: 'NOT_SET_UP' })
  })
})

describe('links to receipts in QuickBooks', () => {
  const credentials = { QUICKBOOKS_CLIENT_ID: 'a', QUICKBOOKS_CLIENT_SECRET: 'b' }
  const places = {
    'Intuit’s own site': { server: useServer(credentials), quickBooksUrl: 'https://app.qbo.intuit.com' },
    'its sandbox': {
      server: useServer({ ...credentials, QUICKBOOKS_SANDBOX: 'true' }),
      quickBooksUrl: 'https://app.sandbox.qbo.intuit.com',
    },
    'nowhere, where the books are at another address': {
      server: useServer({ ...credentials, QUICKBOOKS_URL: 'http://127.0.0.1:9' }),
      quickBooksUrl: null,
    },
  }
  it.each(Object.entries(places))('%s', async (_, { server, quickBooksUrl }) => {
    expect(await (await server.as('front_desk')).quickbooks.status()).toMatchObject({ quickBooksUrl })
  })
})
