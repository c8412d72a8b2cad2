import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerOf, fault, sale } from './test-client.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from './server.ts'

let simulator: QuickBooksSimulator
let books: ReturnType<typeof callerOf>

beforeEach(async () => {
  simulator = await startQuickBooksSimulator()
  books = callerOf(simulator)
})
afterEach(() => simulator.stop())

const hundred = sale([{ amount: 100 }])

describe('a request id', () => {
  test('gets the same response again and records nothing', async () => {
    const first = await books.post('salesreceipt?requestid=sale-7', hundred)
    const again = await books.post('salesreceipt?requestid=sale-7', hundred)
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(simulator.receipts()).toHaveLength(1)
  })

  test('gets the first response even with another body', async () => {
    const first = await books.post('salesreceipt?requestid=sale-7', hundred)
    expect((await books.post('salesreceipt?requestid=sale-7', sale([{ amount: 5 }]))).body).toEqual(first.body)
  })

  test('can be reused after a refusal', async () => {
    expect((await books.post('salesreceipt?requestid=sale-7', sale([]))).status).toBe(400)
    expect((await books.post('salesreceipt?requestid=sale-7', hundred)).status).toBe(200)
  })

  test('records once when sent twice at the same time', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => books.post('salesreceipt?requestid=sale-7', hundred)))
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toEqual(answers[0]?.body)
    }
    expect(simulator.receipts()).toHaveLength(1)
  })

  test('also works for customers and their changes', async () => {
    const body = { Id: '1', SyncToken: '0', sparse: true, Notes: 'Changed once' }
    await books.post('customer?requestid=change-1', body)
    expect(await books.post('customer?requestid=change-1', body)).toMatchObject({ status: 200, body: { Customer: { SyncToken: '1' } } })
  })

  test('has at most 50 characters', async () => {
    expect((await books.post(`salesreceipt?requestid=${'a'.repeat(51)}`, hundred)).body).toMatchObject(fault('2050'))
  })

  test('is optional: without one, each request records a sale', async () => {
    await books.post('salesreceipt', hundred)
    await books.post('salesreceipt', hundred)
    expect(simulator.receipts().map(({ DocNumber }) => DocNumber)).toEqual(['1002', '1001'])
  })
})

test('counts calls by kind and resets the counts', async () => {
  await books.post('salesreceipt', hundred)
  await books.post('customer', { Id: '1', SyncToken: '9' })
  await books.get('customer/1')
  await books.query('select * from Item')
  const counted = { createSalesReceipt: 1, updateCustomer: 1, readCustomer: 1, queryItem: 1 }
  expect(simulator.calls()).toEqual(counted)
  const overHttp = await fetch(`${simulator.url}/_books/calls`)
  expect(await overHttp.json()).toEqual({ calls: counted, maxParallel: 1, refreshes: { count: 0, maxParallel: 0 } })
  await fetch(`${simulator.url}/_books/calls`, { method: 'DELETE' })
  expect(simulator.calls()).toEqual({})
})

test('responds 429 to more concurrent calls than allowed', async () => {
  const busy = await startQuickBooksSimulator({ maxConcurrent: 3, latencyMs: 100 })
  const caller = callerOf(busy)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => caller.get('customer/1')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429])
  expect(busy.maxParallel()).toBe(5)
  expect(answers.find(({ status }) => status === 429)).toMatchObject({
    body: { Fault: { Error: [{ Message: 'message=ThrottleExceeded; errorCode=003001; statusCode=429', code: '3001' }] } },
  })
  expect((await caller.get('customer/1')).status).toBe(200)
  await busy.stop()
})

test('shows sales and refunds on the page with text escaped', async () => {
  await books.post('salesreceipt', sale([{ amount: 100 }], { PrivateNote: '<script src=x>' }))
  await books.post('refundreceipt', sale([{ amount: 50 }], { DepositToAccountRef: { value: '1' } }))
  const page = await (await fetch(simulator.url)).text()
  expect(page).toContain('Sales receipt 1001')
  expect(page.indexOf('Refund receipt 1002')).toBeLessThan(page.indexOf('Sales receipt 1001'))
  expect(page).toContain('<td>113.00</td>')
  expect(page).toContain('&#60;script src=x&#62;')
  expect(page).not.toContain('<script src=x>')
})

test('returns the records as JSON, newest first', async () => {
  await books.post('salesreceipt', hundred)
  const json = async (name: string) => await (await fetch(`${simulator.url}/_books/${name}`)).json()
  expect(await json('receipts')).toEqual(simulator.receipts())
  expect(await json('refunds')).toEqual([])
  expect(await json('customers')).toHaveLength(2000)
  expect((await fetch(`${simulator.url}/_books/other`)).status).toBe(404)
})

describe('with a file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'quickbooks-simulator-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('runs standalone and keeps records, tokens and request ids across a restart', async () => {
    const file = path.join(folder, 'new', 'books.jsonl')
    const program = path.join(import.meta.dirname, 'server.ts')
    const args = ['--port', '0', '--file', file, '--client-id', 'x', '--client-secret', 'y']
    const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' })
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const url = /http:\S+/.exec(line.toString())?.[0] ?? ''
      const asked = { client_id: 'x', redirect_uri: 'http://app.test/', response_type: 'code', state: 's', auto: '1' }
      const consent = new URLSearchParams({ ...asked, scope: 'com.intuit.quickbooks.accounting' })
      const back = await fetch(`${url}/connect/oauth2?${consent}`, { redirect: 'manual' })
      const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
      const headers = { authorization: `Basic ${Buffer.from('x:y').toString('base64')}` }
      const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: 'http://app.test/' })
      const tokens = await (await fetch(`${url}/oauth2/v1/tokens/bearer`, { method: 'POST', headers, body: form })).json()
      const first = await callerOf({ ...simulator, url }, tokens.access_token).post('salesreceipt?requestid=sale-7', hundred)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])

      const restarted = await startQuickBooksSimulator({ file })
      const caller = callerOf(restarted, tokens.access_token)
      expect(restarted.receipts()).toEqual([first.body.SalesReceipt])
      expect((await caller.post('salesreceipt?requestid=sale-7', hundred)).body).toEqual(first.body)
      expect((await caller.post('salesreceipt', hundred)).body).toMatchObject({ SalesReceipt: { Id: '2', DocNumber: '1002' } })
      const refresh = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
      expect((await fetch(`${restarted.url}/oauth2/v1/tokens/bearer`, { method: 'POST', headers, body: refresh })).status).toBe(200)
      await restarted.stop()
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('keeps a stale refresh token stale and ignores a truncated last line', async () => {
    const file = path.join(folder, 'books.jsonl')
    const first = await startQuickBooksSimulator({ file })
    const { refresh_token } = first.connect()
    const headers = { authorization: `Basic ${Buffer.from('client:secret').toString('base64')}` }
    const refresh = async ({ url }: QuickBooksSimulator) => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token })
      return (await fetch(`${url}/oauth2/v1/tokens/bearer`, { method: 'POST', headers, body })).status
    }
    expect(await refresh(first)).toBe(200)
    await first.stop()
    appendFileSync(file, '{"commit":{"type":"SalesRec')

    const second = await startQuickBooksSimulator({ file })
    expect(await refresh(second)).toBe(400)
    await callerOf(second).post('salesreceipt', hundred)
    await second.stop()

    const third = await startQuickBooksSimulator({ file })
    expect(third.receipts()).toHaveLength(1)
    await third.stop()
  })
})
