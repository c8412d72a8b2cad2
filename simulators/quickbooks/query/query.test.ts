import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, fault } from '../test-client.ts'
import type { Entity, EntityType } from '../entity.ts'
import { type QuickBooksSimulator, startQuickBooksSimulator } from '../server.ts'

let simulator: QuickBooksSimulator
let books: ReturnType<typeof callerOf>

beforeAll(async () => {
  simulator = await startQuickBooksSimulator()
  books = callerOf(simulator)
})
afterAll(() => simulator.stop())

async function rows(text: string): Promise<Entity[]> {
  const { status, body } = await books.query(text)
  expect({ status, body }).toMatchObject({ status: 200 })
  const type = /from (\w+)/i.exec(text)?.[1] as EntityType
  return (body.QueryResponse as Record<string, Entity[]>)[type] ?? []
}

const names = async (text: string) => (await rows(text)).map((row) => row.DisplayName ?? row.Name)

test('pages results: 100 by default, at most 1,000, from a 1-based position', async () => {
  expect((await books.query('SELECT * FROM Customer')).body).toEqual({
    QueryResponse: { Customer: expect.any(Array), startPosition: 1, maxResults: 100 },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+-07:00$/),
  })
  expect(await rows('SELECT * FROM Customer MAXRESULTS 5000')).toHaveLength(1000)
  const second = await books.query('select * from Customer startposition 11 maxresults 3')
  expect(second.body).toMatchObject({
    QueryResponse: { Customer: [{ Id: '11' }, { Id: '12' }, { Id: '13' }], startPosition: 11, maxResults: 3 },
  })
})

test('returns an empty QueryResponse without matches', async () => {
  expect((await books.query("SELECT * FROM Customer WHERE DisplayName = 'nobody'")).body.QueryResponse).toEqual({})
  expect((await books.query('SELECT * FROM Customer STARTPOSITION 9000')).body.QueryResponse).toEqual({})
})

test('returns only the total for COUNT(*)', async () => {
  expect((await books.query('SELECT COUNT(*) FROM Item')).body.QueryResponse).toEqual({ totalCount: 298 })
})

test('accepts the query as the body of a POST, like a GET', async () => {
  const answer = await books.post('query', {}, { body: "SELECT * FROM Class WHERE Name = 'Mississauga'" })
  expect(answer.body).toMatchObject({ QueryResponse: { Class: [{ Name: 'Mississauga' }], maxResults: 1 } })
})

describe('conditions', () => {
  test('escape an apostrophe with a backslash', async () => {
    const found = await names("SELECT * FROM Customer WHERE FamilyName = 'O\\'Neill'")
    expect(found.length).toBeGreaterThan(3)
    for (const name of found) expect(name).toContain("O'Neill")
  })

  test('treat only the percent sign as a wildcard in LIKE', async () => {
    const everybody = await rows("SELECT * FROM Customer WHERE CompanyName LIKE '%'")
    expect(everybody).toHaveLength(10)
    expect(await names("SELECT * FROM Customer WHERE CompanyName LIKE '%skin_lab%'")).toEqual(['Halton Skin_Lab Ltd.'])
    expect(await names("SELECT * FROM Customer WHERE CompanyName LIKE '%Skin_%s%'")).toEqual([])
    expect(await names("SELECT * FROM Customer WHERE CompanyName LIKE '100\\% %'")).toEqual(['100% Glow Medspa Inc.'])
    expect(await names("SELECT * FROM Customer WHERE CompanyName LIKE '%(Oakville)'")).toEqual(['Lakeshore Physio (Oakville)'])
  })

  test('match letters with accents exactly, in either case', async () => {
    const found = await names("SELECT * FROM Customer WHERE DisplayName LIKE 'ÉTIENNE%'")
    expect(found.length).toBeGreaterThan(3)
    for (const name of found) expect(name).toMatch(/^Étienne/)
  })

  test('combine with AND', async () => {
    const text = "SELECT * FROM Item WHERE Type = 'Service' AND UnitPrice >= '9800' AND UnitPrice < 9900 ORDERBY Name DESC"
    expect(await names(text)).toEqual(['Septorhinoplasty', 'Abdominoplasty'])
  })

  test('accept a list for IN', async () => {
    expect(await names("SELECT * FROM TaxCode WHERE Name IN ('HST ON', 'Exempt')")).toEqual(['HST ON', 'Exempt'])
    expect((await rows("SELECT * FROM Customer WHERE Id IN ('3', '1')")).map(({ Id }) => Id)).toEqual(['1', '3'])
  })

  test('compare the email address as a field, and times as times', async () => {
    const [first] = await rows("SELECT * FROM Customer WHERE PrimaryEmailAddr LIKE '%@example.com' MAXRESULTS 1")
    const { Address } = (first as Entity).PrimaryEmailAddr as { Address: string }
    expect(await rows(`SELECT * FROM Customer WHERE PrimaryEmailAddr = '${Address}'`)).toEqual([first])
    const count = async (operator: string) =>
      (await books.query(`SELECT COUNT(*) FROM Class WHERE Metadata.LastUpdatedTime ${operator} '2024-01-15T16:03:00Z'`)).body
    expect(await count('<=')).toMatchObject({ QueryResponse: { totalCount: 3 } })
    expect(await count('>')).toMatchObject({ QueryResponse: { totalCount: 2 } })
  })

  test('leave out inactive entities unless Active is requested', async () => {
    const total = async (where: string) => (await books.query(`SELECT COUNT(*) FROM Class ${where}`)).body.QueryResponse
    expect(await total('')).toEqual({ totalCount: 5 })
    expect(await total('WHERE Active = false')).toEqual({ totalCount: 1 })
    expect(await total('WHERE Active IN (true, false)')).toEqual({ totalCount: 6 })
  })

  test('find accounts by type', async () => {
    expect(await names("SELECT * FROM Account WHERE AccountType = 'Other Current Asset' AND Name LIKE '%clearing'")).toEqual([
      'Moneris clearing',
      'Stripe clearing',
    ])
  })
})

describe('invalid queries (400)', () => {
  test.each([
    ["SELECT * FROM Customer WHERE Id = '1' OR Id = '2'", '4000', 'QueryParserError: Encountered " <OR> "OR "" at line 1, column 39.'],
    ["SELECT * FROM Customer WHERE DisplayName = 'O'Neill'", '4000', expect.stringContaining('QueryParserError')],
    ["SELECT * FROM Customer WHERE DisplayName = 'x", '4000', expect.stringContaining('Lexical error at line 1, column 44')],
    ['SELECT Id FROM Customer', '4000', expect.stringContaining('QueryParserError')],
    ['SELECT * FROM Customer WHERE', '4000', expect.stringContaining('<EOF>')],
    ['', '4000', 'QueryParserError: The query provided was empty'],
    ['SELECT * FROM Widget', '4001', 'QueryValidationError: Invalid context declaration: Widget'],
    [
      "SELECT * FROM SalesReceipt WHERE PrivateNote = 'x'",
      '4001',
      'QueryValidationError: Property PrivateNote not found for Entity SalesReceipt',
    ],
  ])('%s', async (text, code, detail) => {
    const { status, body } = await books.query(text)
    expect(status).toBe(400)
    expect(body).toMatchObject(fault(code, detail))
  })
})

describe('the company', () => {
  test('has 306 items, with the reconstructive ones exempt', async () => {
    const items = await rows('SELECT * FROM Item WHERE Active IN (true, false) MAXRESULTS 1000')
    expect(items).toHaveLength(306)
    expect(new Set(items.map(({ Type }) => Type))).toEqual(new Set(['Service', 'NonInventory', 'Inventory']))
    const [carpal] = await rows("SELECT * FROM Item WHERE Name = 'Carpal tunnel release'")
    expect(carpal).toMatchObject({ SalesTaxCodeRef: { name: 'Exempt' }, UnitPrice: 1350 })
    expect(new Set(items.map(({ Name }) => Name)).size).toBe(306)
  })

  test('has 2,000 customers with unique names, the same at each start', async () => {
    const another = await startQuickBooksSimulator()
    expect(another.customers()).toEqual(simulator.customers())
    await another.stop()
    const all = simulator.customers()
    expect(new Set(all.map(({ DisplayName }) => String(DisplayName).toLowerCase())).size).toBe(2000)
    const withEmail = all.filter(({ PrimaryEmailAddr }) => PrimaryEmailAddr !== undefined).length
    expect(withEmail).toBeGreaterThan(1600)
    expect(withEmail).toBeLessThan(1900)
  })

  test('has tax codes whose sales rates lead to their percentages', async () => {
    const rates = new Map((await rows('SELECT * FROM TaxRate')).map((rate) => [rate.Id, rate.RateValue]))
    const codes = (await rows('SELECT * FROM TaxCode')).map((code) => {
      const list = code.SalesTaxRateList as { TaxRateDetail: { TaxRateRef: { value: string } }[] }
      return [code.Name, ...list.TaxRateDetail.map(({ TaxRateRef }) => rates.get(TaxRateRef.value))]
    })
    expect(codes).toEqual([
      ['HST ON', 13],
      ['GST', 5],
      ['GST 5% ON SALES', 5],
      ['Zero-rated', 0],
      ['Exempt', 0],
      ['Out of Scope', 0],
      ['QST 9.975%', 9.975],
    ])
  })

  test('returns its preferences and the entries of its lists by id', async () => {
    expect((await books.get('preferences')).body).toMatchObject({ Preferences: { CurrencyPrefs: { HomeCurrency: { value: 'CAD' } } } })
    for (const path of ['item/1', 'account/1', 'class/1', 'taxcode/2', 'taxrate/3', 'paymentmethod/1']) {
      expect({ path, ...(await books.get(path)) }).toMatchObject({ path, status: 200 })
    }
    expect(await books.get('item/999')).toMatchObject({ status: 400, body: fault('610') })
    expect((await books.get('item/1')).headers.get('intuit_tid')).toMatch(/^1-/)
  })
})
