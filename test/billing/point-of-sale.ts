import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { type QuickBooksSimulator, type QuickBooksSimulatorOptions, startQuickBooksSimulator } from '../../simulators/quickbooks/server.ts'
import { type Totals, totalsOf } from '../../src/billing/pos/rules.ts'
import { amountOfCents } from '../../src/shared/money.ts'
import { type Client, type TestServer, startTestServer } from '../server.ts'

/** Credentials accepted by the simulator. */
export const quickbooksSettings = (url: string) => ({
  QUICKBOOKS_CLIENT_ID: 'refyne-test',
  QUICKBOOKS_CLIENT_SECRET: 'refyne-test-secret',
  QUICKBOOKS_URL: url,
})

export type PointOfSale = {
  server: TestServer
  quickBooks: QuickBooksSimulator
}

/** A server connected to the QuickBooks simulator by an administrator through Intuit's pages, with its lists synced. */
export function usePointOfSale(
  settings: Record<string, string> = {},
  options: QuickBooksSimulatorOptions = {},
  serverOptions: { now?: () => Date } = {},
): PointOfSale {
  const pointOfSale = {} as PointOfSale
  beforeAll(async () => {
    pointOfSale.quickBooks = await startQuickBooksSimulator({ clientId: 'refyne-test', clientSecret: 'refyne-test-secret', ...options })
    pointOfSale.server = await startTestServer(
      inject('postgres'),
      { ...quickbooksSettings(pointOfSale.quickBooks.url), ...settings },
      serverOptions,
    )
    await connectQuickBooks(await pointOfSale.server.as('admin'))
    pointOfSale.quickBooks.resetCalls()
  })
  afterAll(async () => {
    await pointOfSale.server?.stop()
    await pointOfSale.quickBooks?.stop()
  })
  return pointOfSale
}

/** Connects QuickBooks as an administrator and waits until its lists are synced. */
export async function connectQuickBooks(admin: Client): Promise<void> {
  await admin.quickbooks.finish(await approveConnection(admin))
  await admin.quickbooks.refresh()
}

/** Approves the connection at Intuit and returns the parameters it sends to /qbo/callback. */
export async function approveConnection(admin: Client): Promise<{ code: string; state: string; realmId: string }> {
  const { url } = await admin.quickbooks.connect()
  const response = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const callback = new URL(response.headers.get('location') ?? '')
  const [code = '', state = '', realmId = ''] = ['code', 'state', 'realmId'].map((name) => callback.searchParams.get(name) ?? '')
  return { code, state, realmId }
}

export type Sold = { name: string; unitPrice?: number; quantity?: number; taxCode?: string; exemptReason?: string }

/** The accounts, classes and tax codes in QuickBooks. */
export async function loadCatalogue(client: Client) {
  const [{ accounts }, { classes }, { taxCodes, defaultTaxCode }] = await Promise.all([
    client.pos.accounts(),
    client.pos.classes(),
    client.pos.taxCodes(),
  ])
  return { accounts, classes, taxCodes, defaultTaxCode }
}

type Customer = { id: string; name: string }
type GivenOfSale = { discount?: number; key?: string }

/** A sale as the browser sends it; amounts in cents, the discount in hundredths of a percent. */
export async function newSale(client: Client, customer: Customer, cart: Sold[], given: GivenOfSale = {}) {
  const names = cart.map(({ name }) => name)
  return (await prepareSales(client, names))(customer, cart, given)
}

/** Looks up what sales of these items need, once for many sales. */
export async function prepareSales(client: Client, names: string[]) {
  const [catalogue, found] = await Promise.all([
    loadCatalogue(client),
    Promise.all(
      [...new Set(names)].map(async (query) => {
        const { items } = await client.pos.searchItems({ query })
        return [query, items.find(({ name }) => name === query) ?? items[0]!] as const
      }),
    ),
  ])
  const itemOf = new Map(found)
  return (customer: Customer, cart: Sold[], given: GivenOfSale = {}) =>
    saleOf(
      catalogue,
      customer,
      cart.map((sold) => ({ ...sold, item: itemOf.get(sold.name)! })),
      given,
    )
}

type Catalogue = Awaited<ReturnType<typeof loadCatalogue>>
type Item = Awaited<ReturnType<Client['pos']['searchItems']>>['items'][number]

function saleOf(
  { accounts, taxCodes, classes }: Catalogue,
  customer: Customer,
  cart: (Omit<Sold, 'name'> & { item: Item })[],
  given: GivenOfSale,
) {
  const idOf = (name: string) => taxCodes.find(({ Name }) => Name === name)!.Id
  const rateOf: Record<string, number> = { 'HST ON': 130_000, GST: 50_000, 'QST 9.975%': 99_750 }
  const items = cart.map(({ item, unitPrice, quantity = 1, taxCode = 'HST ON', exemptReason }) => ({
    item,
    unitPrice: unitPrice ?? Math.round(item.unitPrice * 100),
    quantity,
    taxCode,
    exemptReason,
  }))
  const lines = items.map(({ unitPrice, quantity, taxCode }) => ({
    unitPrice,
    quantity,
    taxCodeId: idOf(taxCode),
    rate: rateOf[taxCode] ?? 0,
  }))
  const totals: Totals = totalsOf(lines, given.discount ?? 0)
  return {
    customerId: customer.id,
    customerName: customer.name,
    classRef: classes[0]?.Id ?? null,
    lineItems: items.map(({ item, unitPrice, quantity, taxCode, exemptReason }, index) => ({
      DetailType: 'SalesItemLineDetail' as const,
      Amount: amountOfCents(totals.lines[index]!.amount),
      Description: item.name,
      SalesItemLineDetail: {
        ItemRef: { value: item.qbItemId, name: item.name },
        UnitPrice: amountOfCents(unitPrice),
        Qty: quantity,
        TaxCodeRef: { value: idOf(taxCode) },
      },
      ...(exemptReason ? { exemptReason } : {}),
    })),
    subtotal: amountOfCents(totals.subtotal),
    discountPercent: amountOfCents(given.discount ?? 0),
    discountAmount: amountOfCents(totals.discount),
    taxAmount: amountOfCents(totals.tax),
    total: amountOfCents(totals.total),
    depositAccount: accounts[0]!.Id,
    memo: 'Thank you',
    paymentMethod: 'Visa',
    idempotencyKey: given.key ?? randomUUID(),
  }
}

/** Creates a customer with an email, and so with a patient. */
export async function createCustomer(client: Client) {
  const email = `${randomUUID()}@fastmail.example`
  const lastName = `O'Neill-${randomUUID().slice(0, 8)}`
  const { Id, name, refyneContactId } = await client.pos.createCustomer({ firstName: 'Éloïse', lastName, email })
  return { id: Id, name, email, contactId: refyneContactId }
}
