import published from 'node-quickbooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sale } from './caller.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from './server.ts'

// The package's types say that the class is the module's default export; it is the module itself.
const QuickBooks = published as unknown as typeof published.default

let simulator: QuickBooksSimulator
let client: InstanceType<typeof QuickBooks>

beforeEach(async () => {
  simulator = await startQuickBooksSimulator({ clientId: 'id', clientSecret: 'secret' })
  const { access_token, refresh_token } = simulator.connect()
  client = new QuickBooks('id', 'secret', access_token, false, simulator.realmId, true, false, '75', '2.0', refresh_token)
  client.endpoint = `${simulator.url}/v3/company/`
  QuickBooks.TOKEN_URL = `${simulator.url}/oauth2/v1/tokens/bearer`
  QuickBooks.REVOKE_URL = `${simulator.url}/v2/oauth2/tokens/revoke`
})
afterEach(() => simulator.stop())

/** The client's callbacks as promises. */
function toResult<T>(call: (callback: (error: unknown, data?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, data) => (error ? reject(error) : resolve(data as T)))
  })
}

test('creates and finds customers, with what is hard to quote in their names', async () => {
  const name = `Siobhán O'Neill & "Søn" 100% #1`
  const customer = await toResult((done) => client.createCustomer({ DisplayName: name, PrimaryEmailAddr: { Address: 'a@b.test' } }, done))
  expect(customer).toMatchObject({ Id: '2001', DisplayName: name })
  const found = await toResult((done) => client.findCustomers([{ field: 'DisplayName', value: name }], done))
  expect(found).toMatchObject({ QueryResponse: { Customer: [{ Id: '2001' }], maxResults: 1 } })
  const byEmail = await toResult((done) => client.findCustomers({ PrimaryEmailAddr: 'a@b.test', limit: 10 }, done))
  expect(byEmail).toMatchObject({ QueryResponse: { Customer: [{ Id: '2001' }] } })
  const changed = await toResult((done) => client.updateCustomer({ Id: '2001', SyncToken: '0', Notes: 'New' }, done))
  expect(changed).toMatchObject({ DisplayName: name, Notes: 'New', SyncToken: '1' })
})

test('a name that is taken comes back as QuickBooks says it', async () => {
  const taken = String(simulator.customers()[0]?.DisplayName)
  const creating = toResult((done) => client.createCustomer({ DisplayName: taken }, done))
  await expect(creating).rejects.toMatchObject({ response: { status: 400, data: { Fault: { Error: [{ code: '6240' }] } } } })
})

test('pages through all items, and counts them', async () => {
  const items = await toResult((done) => client.findItems({ fetchAll: true, limit: 100 }, done))
  expect((items as { QueryResponse: { Item: unknown[] } }).QueryResponse.Item).toHaveLength(292)
  expect(await toResult((done) => client.findItems({ count: true }, done))).toMatchObject({ QueryResponse: { totalCount: 292 } })
  const botox = await toResult((done) => client.findItems([{ field: 'Name', value: 'Botox%', operator: 'LIKE' }], done))
  expect(botox).toMatchObject({ QueryResponse: { Item: [{ Name: 'Botox Cosmetic, per unit', UnitPrice: 13.5 }] } })
})

test('books a sales receipt once per request id, reads it and refunds it', async () => {
  const receipt = { ...sale([{ amount: 270, price: 13.5, quantity: 20 }]), requestId: 'sale-7' }
  const created = await toResult((done) => client.createSalesReceipt({ ...receipt }, done))
  expect(created).toMatchObject({ Id: '1', TotalAmt: 305.1 })
  expect(await toResult((done) => client.createSalesReceipt({ ...receipt }, done))).toEqual(created)
  expect(await toResult((done) => client.getSalesReceipt('1', done))).toEqual(created)
  expect(simulator.receipts()).toHaveLength(1)

  const refund = sale([{ amount: 100 }], { DepositToAccountRef: { value: '1' } })
  expect(await toResult((done) => client.createRefundReceipt(refund, done))).toMatchObject({ TotalAmt: 113 })
})

test('reads the company and its lists', async () => {
  expect(await toResult((done) => client.getCompanyInfo(simulator.realmId, done))).toMatchObject({ Country: 'CA' })
  expect(await toResult((done) => client.getPreferences(done))).toMatchObject({ TaxPrefs: { UsingSalesTax: true } })
  expect(await toResult((done) => client.findTaxCodes({ Name: 'HST ON' }, done))).toMatchObject({
    QueryResponse: { TaxCode: [{ Id: '2' }] },
  })
  expect(await toResult((done) => client.findAccounts({ AccountType: 'Bank' }, done))).toMatchObject({ QueryResponse: { maxResults: 4 } })
})

test('refreshes its token and goes on, until it revokes it', async () => {
  const old = client.refreshToken
  await toResult((done) => client.refreshAccessToken(done))
  expect(client.refreshToken).not.toBe(old)
  expect(await toResult((done) => client.getCustomer('1', done))).toMatchObject({ Id: '1' })

  const { realmId, token } = client
  await toResult((done) => client.revokeAccess(true, done))
  Object.assign(client, { realmId, token })
  await expect(toResult((done) => client.getCustomer('1', done))).rejects.toMatchObject({ response: { status: 401 } })
})
