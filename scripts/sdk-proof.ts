/**
 * `npm run sdk-proof`: checks that node-quickbooks works unchanged against the QuickBooks simulator. The package is large and used nowhere
 * else, so it is installed into a temporary folder. Its calls are compared with the recording that every test run replays; `-- --record`
 * updates it.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sale } from '../simulators/quickbooks/test-client.ts'
import {
  type Exchange,
  parsed,
  readRecording,
  recordable,
  recordedAt,
  recordingFile,
  type Recording,
  TokenNames,
} from '../simulators/quickbooks/recorded.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from '../simulators/quickbooks/server.ts'

const version = '2.0.50'

type Done = (error: unknown, data?: unknown) => void
/** The part of the package's API that is used here. */
type Client = Record<
  | 'createCustomer'
  | 'findCustomers'
  | 'updateCustomer'
  | 'findItems'
  | 'createSalesReceipt'
  | 'createRefundReceipt'
  | 'findTaxCodes'
  | 'findAccounts',
  (input: unknown, done: Done) => void
> &
  Record<'getSalesReceipt' | 'getCustomer' | 'getCompanyInfo', (id: string, done: Done) => void> & {
    getPreferences(done: Done): void
    refreshAccessToken(done: Done): void
    revokeAccess(useRefresh: boolean, done: Done): void
    endpoint: string
    refreshToken: string
    realmId: string
    token: string
  }
type Package = { new (...settings: unknown[]): Client; TOKEN_URL: string; REVOKE_URL: string }

/** The client's callbacks as promises. */
function toResult(call: (done: Done) => void): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    call((error, data) => (error ? reject(error) : resolve(data as Record<string, unknown>)))
  })
}

const statusOf = (error: unknown) => (error as { response?: { status?: number } }).response?.status
const listOf = (found: Record<string, unknown>, kind: string) =>
  (found.QueryResponse as Record<string, Record<string, unknown>[]>)[kind] ?? []

const proofs: Record<string, (client: Client, simulator: QuickBooksSimulator) => Promise<void>> = {
  async 'creates and finds customers, with what is hard to quote in their names'(client) {
    const name = `Siobhán O'Neill & "Søn" 100% #1`
    const customer = await toResult((done) => client.createCustomer({ DisplayName: name, PrimaryEmailAddr: { Address: 'a@b.test' } }, done))
    assert.deepEqual([customer.Id, customer.DisplayName], ['2001', name])
    const found = await toResult((done) => client.findCustomers([{ field: 'DisplayName', value: name }], done))
    assert.deepEqual(
      listOf(found, 'Customer').map(({ Id }) => Id),
      ['2001'],
    )
    assert.equal((found.QueryResponse as { maxResults: number }).maxResults, 1)
    const byEmail = await toResult((done) => client.findCustomers({ PrimaryEmailAddr: 'a@b.test', limit: 10 }, done))
    assert.deepEqual(
      listOf(byEmail, 'Customer').map(({ Id }) => Id),
      ['2001'],
    )
    const changed = await toResult((done) => client.updateCustomer({ Id: '2001', SyncToken: '0', Notes: 'New' }, done))
    assert.deepEqual([changed.DisplayName, changed.Notes, changed.SyncToken], [name, 'New', '1'])
  },

  async 'a name that is taken comes back as QuickBooks says it'(client, simulator) {
    const taken = simulator.customers()[0]?.DisplayName
    await assert.rejects(
      toResult((done) => client.createCustomer({ DisplayName: taken }, done)),
      (error: { response: { status: number; data: { Fault: { Error: { code: string }[] } } } }) => {
        assert.deepEqual([error.response.status, error.response.data.Fault.Error[0]?.code], [400, '6240'])
        return true
      },
    )
  },

  async 'pages through all items, and counts them'(client) {
    const items = await toResult((done) => client.findItems({ fetchAll: true, limit: 100 }, done))
    assert.equal(listOf(items, 'Item').length, 293)
    const counted = await toResult((done) => client.findItems({ count: true }, done))
    assert.equal((counted.QueryResponse as { totalCount: number }).totalCount, 293)
    const botox = await toResult((done) => client.findItems([{ field: 'Name', value: 'Botox%', operator: 'LIKE' }], done))
    assert.deepEqual([listOf(botox, 'Item')[0]?.Name, listOf(botox, 'Item')[0]?.UnitPrice], ['Botox Cosmetic, per unit', 13.5])
  },

  async 'books a sales receipt once per request id, reads it and refunds it'(client, simulator) {
    const receipt = { ...sale([{ amount: 270, price: 13.5, quantity: 20 }]), requestId: 'sale-7' }
    const created = await toResult((done) => client.createSalesReceipt({ ...receipt }, done))
    assert.deepEqual([created.Id, created.TotalAmt], ['1', 305.1])
    assert.deepEqual(await toResult((done) => client.createSalesReceipt({ ...receipt }, done)), created)
    assert.deepEqual(await toResult((done) => client.getSalesReceipt('1', done)), created)
    assert.equal(simulator.receipts().length, 1)
    const refund = sale([{ amount: 100 }], { DepositToAccountRef: { value: '1' } })
    assert.equal((await toResult((done) => client.createRefundReceipt(refund, done))).TotalAmt, 113)
  },

  async 'reads the company and its lists'(client, simulator) {
    assert.equal((await toResult((done) => client.getCompanyInfo(simulator.realmId, done))).Country, 'CA')
    const preferences = await toResult((done) => client.getPreferences(done))
    assert.equal((preferences.TaxPrefs as { UsingSalesTax: boolean }).UsingSalesTax, true)
    const codes = await toResult((done) => client.findTaxCodes({ Name: 'HST ON' }, done))
    assert.deepEqual(
      listOf(codes, 'TaxCode').map(({ Id }) => Id),
      ['2'],
    )
    const accounts = await toResult((done) => client.findAccounts({ AccountType: 'Bank' }, done))
    assert.equal((accounts.QueryResponse as { maxResults: number }).maxResults, 4)
  },

  async 'refreshes its token and goes on, until it revokes it'(client) {
    const old = client.refreshToken
    await toResult((done) => client.refreshAccessToken(done))
    assert.notEqual(client.refreshToken, old)
    assert.equal((await toResult((done) => client.getCustomer('1', done))).Id, '1')
    const { realmId, token } = client
    await toResult((done) => client.revokeAccess(true, done))
    Object.assign(client, { realmId, token })
    await assert.rejects(
      toResult((done) => client.getCustomer('1', done)),
      (error) => statusOf(error) === 401,
    )
  },
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'refyne-sdk-'))
try {
  const QuickBooks = install()
  const recording: Recording = {}
  for (const [name, proof] of Object.entries(proofs)) {
    recording[name] = await prove(QuickBooks, proof)
    console.log(`ok  ${name} (${recording[name].length} calls)`)
  }
  if (process.argv.includes('--record')) writeFileSync(recordingFile, `${JSON.stringify(recording, null, 2)}\n`)
  else compare(recording, readRecording())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function compare(recording: Recording, kept: Recording) {
  const others = Object.keys({ ...recording, ...kept }).filter((name) => !isDeepStrictEqual(recording[name], kept[name]))
  if (others.length === 0) return
  console.error(
    `Calls or responses differ from the recording: ${others.join('; ')}. Run with -- --record, review the difference, and commit it.`,
  )
  process.exitCode = 1
}

function install(): Package {
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `node-quickbooks@${version}`]
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('Could not install node-quickbooks')
  return createRequire(path.join(folder, 'proof.js'))('node-quickbooks') as Package
}

/** @returns the calls that the package made. */
async function prove(QuickBooks: Package, proof: (client: Client, simulator: QuickBooksSimulator) => Promise<void>): Promise<Exchange[]> {
  const simulator = await startQuickBooksSimulator({ clientId: 'id', clientSecret: 'secret', now: () => recordedAt })
  const tokens = new TokenNames()
  const grant = simulator.connect()
  tokens.learn(grant)
  const exchanges: Exchange[] = []
  const recorder = createServer((request, response) => void record(request, response))

  async function record(request: IncomingMessage, response: ServerResponse) {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers as Record<string, string>
    const { method = 'GET', url = '/' } = request
    const answer = await fetch(simulator.url + url, { method, headers, ...(body && { body }) })
    const text = await answer.text()
    const content = parsed(text)
    tokens.learn(content)
    // These differ on every run: an id that QuickBooks only logs, and the version of one of the client's packages.
    if (headers['request-id']) headers['request-id'] = '00000000-0000-1000-8000-000000000000'
    if (headers['user-agent']?.startsWith('axios/')) headers['user-agent'] = 'axios'
    const call = JSON.parse(tokens.hide(JSON.stringify({ method, path: url, headers, body }))) as Omit<Exchange, 'answer'>
    exchanges.push({ ...call, answer: { status: answer.status, body: recordable(content, tokens) } })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text)
  }

  await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
  try {
    const { realmId } = simulator
    const client = new QuickBooks('id', 'secret', grant.access_token, false, realmId, true, false, '75', '2.0', grant.refresh_token)
    client.endpoint = `${url}/v3/company/`
    QuickBooks.TOKEN_URL = `${url}/oauth2/v1/tokens/bearer`
    QuickBooks.REVOKE_URL = `${url}/v2/oauth2/tokens/revoke`
    await proof(client, simulator)
    return exchanges
  } finally {
    recorder.closeAllConnections()
    recorder.close()
    await simulator.stop()
  }
}
