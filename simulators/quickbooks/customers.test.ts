import { afterEach, beforeEach, expect, test } from 'vitest'
import { callerOf, fault } from './test-client.ts'
import type { Entity } from './entity.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from './server.ts'

let simulator: QuickBooksSimulator
let books: ReturnType<typeof callerOf>

beforeEach(async () => {
  simulator = await startQuickBooksSimulator()
  books = callerOf(simulator)
})
afterEach(() => simulator.stop())

const zoe = { GivenName: 'Zoë', FamilyName: "D'Arcy-Nuñez", PrimaryEmailAddr: { Address: 'zoe@patient.test' } }

async function create(customer: object): Promise<Entity> {
  const { status, body } = await books.post('customer', customer)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.Customer as Entity
}

test('gives a new customer an Id, a SyncToken and a display name made of its parts', async () => {
  expect(await create(zoe)).toMatchObject({
    ...zoe,
    Id: '2001',
    SyncToken: '0',
    DisplayName: "Zoë D'Arcy-Nuñez",
    Active: true,
    domain: 'QBO',
    MetaData: { CreateTime: expect.stringMatching(/T[\d:]+-07:00$/) },
  })
  expect((await books.get('customer/2001')).body).toMatchObject({ Customer: zoe })
})

test('refuses a name already in use, ignoring case (6240)', async () => {
  await create(zoe)
  const again = await books.post('customer', { DisplayName: " zoë D'ARCY-Nuñez " })
  expect(again.status).toBe(400)
  expect(again.body).toMatchObject(fault('6240', expect.stringContaining('The name supplied already exists')))
  expect(again.body).toMatchObject({ Fault: { Error: [{ Message: 'Duplicate Name Exists Error' }] }, time: expect.any(String) })
})

test('changes only the given fields in a sparse update', async () => {
  const { Id, SyncToken } = await create(zoe)
  const { body } = await books.post('customer', { Id, SyncToken, sparse: true, PrimaryPhone: { FreeFormNumber: '905 555 0199' } })
  expect(body).toMatchObject({ Customer: { ...zoe, SyncToken: '1', PrimaryPhone: { FreeFormNumber: '905 555 0199' } } })
})

test('clears omitted fields in a full update', async () => {
  const { Id, SyncToken } = await create(zoe)
  const { body } = await books.post('customer', { Id, SyncToken, DisplayName: 'Zoë' })
  expect(body.Customer).not.toHaveProperty('PrimaryEmailAddr')
})

test('refuses a stale SyncToken (5010) and a missing one (2020)', async () => {
  const { Id } = await create(zoe)
  await books.post('customer', { Id, SyncToken: '0', sparse: true, Notes: 'one' })
  expect((await books.post('customer', { Id, SyncToken: '0', sparse: true, Notes: 'two' })).body).toMatchObject(fault('5010'))
  expect((await books.post('customer', { Id, sparse: true, Notes: 'two' })).body).toMatchObject(fault('2020'))
  expect((await books.get(`customer/${Id}`)).body).toMatchObject({ Customer: { SyncToken: '1', Notes: 'one' } })
})

test('frees the name of a deactivated customer and removes the customer from lists', async () => {
  const { Id, SyncToken } = await create(zoe)
  const { body } = await books.post('customer', { Id, SyncToken, sparse: true, Active: false })
  expect(body).toMatchObject({ Customer: { Active: false, DisplayName: "Zoë D'Arcy-Nuñez (deleted)" } })
  expect((await books.query("SELECT * FROM Customer WHERE FamilyName LIKE 'D\\'Arcy%'")).body.QueryResponse).toEqual({})
  await create(zoe)
})

test.each([
  ['without a name', {}, '2020'],
  ['with a colon in the name', { DisplayName: 'a:b' }, '6000'],
  ['with an address that is none', { DisplayName: 'a', PrimaryEmailAddr: { Address: 'a@' } }, '2210'],
  ['with a name of 101 letters', { GivenName: 'a'.repeat(101) }, '2050'],
  ['that does not exist', { Id: '9999', SyncToken: '0', DisplayName: 'a' }, '610'],
])('a customer %s is refused', async (_, customer, code) => {
  expect(await books.post('customer', customer)).toMatchObject({ status: 400, body: fault(code) })
  expect(simulator.customers()).toHaveLength(2000)
})
