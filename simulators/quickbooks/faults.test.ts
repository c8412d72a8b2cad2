import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callerOf, sale } from './test-client.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from './server.ts'

let simulator: QuickBooksSimulator
let books: ReturnType<typeof callerOf>

beforeEach(async () => {
  simulator = await startQuickBooksSimulator()
  books = callerOf(simulator)
})
afterEach(() => simulator.stop())

const control = (method: string, what: string, body?: object) =>
  fetch(`${simulator.url}/_control/${what}`, { method, ...(body && { body: JSON.stringify(body) }) })
const book = (init?: RequestInit) => books.post('salesreceipt?requestid=sale-7', sale([{ amount: 100 }]), init)

async function expectNextOneWorks() {
  expect((await book()).status).toBe(200)
  expect(simulator.receipts()).toHaveLength(1)
}

describe('on demand', () => {
  test.each([
    ['timeoutBefore', 0],
    ['timeoutAfter', 1],
  ])('%s: no answer comes, and %i is booked', async (kind, booked) => {
    await control('POST', 'faults', { kind })
    const impatient = new AbortController()
    const booking = book({ signal: impatient.signal })
    await vi.waitFor(() => expect(simulator.calls()).toEqual({ createSalesReceipt: 1 }))
    const first = await Promise.race([booking.catch(() => 'broken'), wait(50, 'nothing yet')])
    expect(first).toBe('nothing yet')
    impatient.abort()
    await expect(booking).rejects.toThrow('aborted')
    expect(simulator.receipts()).toHaveLength(booked)
    await expectNextOneWorks()
  })

  test.each([
    ['dropBefore', 0],
    ['dropAfter', 1],
  ])('%s: the connection breaks, and %i is booked', async (kind, booked) => {
    await control('POST', 'faults', { kind })
    await expect(book()).rejects.toThrow('fetch failed')
    expect(simulator.receipts()).toHaveLength(booked)
    await expectNextOneWorks()
  })

  test('badJson: records the sale and truncates the response', async () => {
    await control('POST', 'faults', { kind: 'badJson' })
    await expect(book()).rejects.toThrow(SyntaxError)
    await expectNextOneWorks()
  })

  test.each([
    [401, { fault: { type: 'AUTHENTICATION' } }],
    [429, { Fault: { Error: [{ code: '3001' }] } }],
    [500, { Fault: { type: 'SystemFault' } }],
    [503, { Fault: { type: 'SystemFault' } }],
    [502, { Fault: { type: 'SystemFault' } }],
  ])('status %i: nothing is booked, as often as asked', async (status, body) => {
    await control('POST', 'faults', { kind: 'status', status, times: 2, retryAfter: 7 })
    for (const _ of [1, 2]) {
      const answer = await book()
      expect(answer).toMatchObject({ status, body })
      expect(answer.headers.get('retry-after')).toBe(status === 429 ? '7' : null)
    }
    expect(simulator.receipts()).toEqual([])
    await expectNextOneWorks()
  })

  test('keeps a fault with a pattern until a matching call', async () => {
    simulator.fault({ kind: 'status', status: 503, match: '^POST .*/customer$' })
    expect((await book()).status).toBe(200)
    expect((await books.post('customer', { DisplayName: 'Ann' })).status).toBe(503)
    expect((await books.post('customer', { DisplayName: 'Ann' })).status).toBe(200)
  })

  test('fails a token refresh only when a fault matches it', async () => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: simulator.connect().refresh_token })
    const headers = { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` }
    const refresh = async () => await fetch(`${simulator.url}/oauth2/v1/tokens/bearer`, { method: 'POST', headers, body })
    simulator.fault({ kind: 'dropAfter', match: 'tokens/bearer' })
    simulator.fault({ kind: 'status', status: 500 })
    await expect(refresh()).rejects.toThrow('fetch failed')
    expect((await refresh()).status).toBe(400) // the lost response contained the token
    expect((await book()).status).toBe(500)
  })

  test('lists and clears faults', async () => {
    await control('POST', 'faults', { kind: 'dropAfter', times: 3 })
    await control('POST', 'faults', { random: { share: 0.5, kinds: ['status'], seed: 1 } })
    expect(await (await control('GET', 'faults')).json()).toMatchObject({
      queue: [{ kind: 'dropAfter', times: 3 }],
      random: { share: 0.5, kinds: ['status'], seed: 1 },
      offline: false,
    })
    await control('DELETE', 'faults')
    expect(await (await control('GET', 'faults')).json()).toEqual({ queue: [], random: null, offline: false })
  })

  test.each([{ kind: 'explode' }, { kind: 'status', match: '(' }, { random: { share: 2, kinds: ['status'], seed: 1 } }, { stauts: 500 }])(
    '%o is refused',
    async (order) => {
      expect((await control('POST', 'faults', order)).status).toBe(400)
    },
  )
})

describe('by chance', () => {
  async function statuses() {
    simulator.fault({ random: { share: 0.3, kinds: ['status', 'dropAfter'], seed: 42, match: 'POST .*salesreceipt' } })
    const seen: (number | string)[] = []
    for (let index = 0; index < 60; index++) {
      seen.push(
        await books.post('salesreceipt', sale([{ amount: 1 }])).then(
          ({ status }) => status,
          () => 'dropped',
        ),
      )
    }
    return seen
  }

  test('fails a share of the calls, the same ones for the same seed', async () => {
    const first = await statuses()
    const failed = first.filter((status) => status !== 200).length
    expect(failed).toBeGreaterThan(8)
    expect(failed).toBeLessThan(30)
    expect(new Set(first)).toEqual(new Set([200, 429, 500, 503, 'dropped']))
    expect(await statuses()).toEqual(first)
    expect((await books.get('customer/1')).status).toBe(200)
  })
})

test('responds 503 to every call while offline', async () => {
  await control('POST', 'offline', { offline: true })
  expect((await book()).status).toBe(503)
  expect((await books.get('customer/1')).status).toBe(503)
  expect((await fetch(`${simulator.url}/oauth2/v1/tokens/bearer`, { method: 'POST' })).status).toBe(503)
  simulator.setOffline(false)
  await expectNextOneWorks()
})

test('delays a response by the given time', async () => {
  const slow = await startQuickBooksSimulator({ latencyMs: 120 })
  const start = performance.now()
  await callerOf(slow).get('customer/1')
  expect(performance.now() - start).toBeGreaterThan(110)
  await slow.stop()
})
