import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { type QuickBooksSimulator, type QuickBooksSimulatorOptions, startQuickBooksSimulator } from '../simulators/quickbooks/server.ts'
import { type Totals, totalsOf } from '../src/billing/pos/rules.ts'
import { amountOfCents } from '../src/shared/money.ts'
import { type Client, type TestServer, startTestServer } from './server.ts'

/** Credentials that the simulator knows. */
export const quickbooksSettings = (url: string) => ({
  QUICKBOOKS_CLIENT_ID: 'refyne-test',
  QUICKBOOKS_CLIENT_SECRET: 'refyne-test-secret',
  QUICKBOOKS_URL: url,
})

export type Till = {
  server: TestServer
  books: QuickBooksSimulator
}

/** A server whose books are the simulator's: connected by an administrator over Intuit's own pages, its lists read. */
export function useTill(
  settings: Record<string, string> = {},
  options: QuickBooksSimulatorOptions = {},
  serverOptions: { now?: () => Date } = {},
): Till {
  const till = {} as Till
  beforeAll(async () => {
    till.books = await startQuickBooksSimulator({ clientId: 'refyne-test', clientSecret: 'refyne-test-secret', ...options })
    till.server = await startTestServer(inject('postgres'), { ...quickbooksSettings(till.books.url), ...settings }, serverOptions)
    await connectTo(await till.server.as('admin'))
    till.books.resetCalls()
  })
  afterAll(async () => {
    await till.server?.stop()
    await till.books?.stop()
  })
  return till
}

/** Goes an administrator's way to Intuit and back, and waits until the lists are read. */
export async function connectTo(admin: Client): Promise<void> {
  await admin.quickbooks.finish(await consentOf(admin))
  await admin.quickbooks.refresh()
}

/** What Intuit sends back to /qbo/callback when the person says yes. */
export async function consentOf(admin: Client): Promise<{ code: string; state: string; realmId: string }> {
  const { url } = await admin.quickbooks.connect()
  const answer = await fetch(`${url}&auto=1`, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  const [code = '', state = '', realmId = ''] = ['code', 'state', 'realmId'].map((name) => back.searchParams.get(name) ?? '')
  return { code, state, realmId }
}

export type Sold = { name: string; unitPrice?: number; quantity?: number; taxCode?: string; exemptReason?: string }

/** The ids under which the books know things, by their names. */
export async function catalogue(client: Client) {
  const [{ accounts }, { classes }, { taxCodes, defaultTaxCode }] = await Promise.all([
    client.pos.accounts(),
    client.pos.classes(),
    client.pos.taxCodes(),
  ])
  return { accounts, classes, taxCodes, defaultTaxCode }
}

/** A payload as the browser sends it; amounts in cents, the percent in hundredths. */
export async function saleOf(
  client: Client,
  customer: { id: string; name: string },
  cart: Sold[],
  given: { discount?: number; key?: string } = {},
) {
  const { accounts, taxCodes, classes } = await catalogue(client)
  const idOf = (name: string) => taxCodes.find(({ Name }) => Name === name)!.Id
  const rateOf: Record<string, number> = { 'HST ON': 130_000, GST: 50_000, 'QST 9.975%': 99_750 }
  const items = await Promise.all(
    cart.map(async ({ name, unitPrice, quantity = 1, taxCode = 'HST ON', exemptReason }) => {
      const { items } = await client.pos.searchItems({ query: name })
      const item = items.find((found) => found.name === name) ?? items[0]!
      return { item, unitPrice: unitPrice ?? Math.round(item.unitPrice * 100), quantity, taxCode, exemptReason }
    }),
  )
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

/** A customer of its own, with an email and so with a patient. */
export async function newCustomer(client: Client) {
  const email = `${randomUUID()}@fastmail.example`
  const lastName = `O'Neill-${randomUUID().slice(0, 8)}`
  const { Id, name, refyneContactId } = await client.pos.createCustomer({ firstName: 'Éloïse', lastName, email })
  return { id: Id, name, email, contactId: refyneContactId }
}
