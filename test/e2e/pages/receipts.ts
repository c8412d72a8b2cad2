import { randomUUID } from 'node:crypto'
import type { Page, Route } from '@playwright/test'
import { expect } from '../support/clinic.ts'

type Named = { Id: string; Name: string }

async function read<Shape>(page: Page, path: string): Promise<Shape> {
  const response = await page.request.get(`/api${path}`)
  expect(response.status(), path).toBe(200)
  return (await response.json()) as Shape
}

async function send<Shape>(page: Page, path: string, data: unknown, status = 200): Promise<Shape> {
  const response = await page.request.post(`/api${path}`, { data })
  expect(response.status(), await response.text()).toBe(status)
  return (await response.json()) as Shape
}

export type Sale = { customer: string; contactId: string; receiptId: string; number: string | null }

/**
 * Records a sale over the API, $100.00 plus HST, to a new customer. `status` 503 while QuickBooks is unavailable (the receipt is then
 * pending); 422 when it rejects the receipt.
 */
export async function sell(
  page: Page,
  given: { method?: string; account?: string; memo?: string; status?: 200 | 422 | 503 } = {},
): Promise<Sale> {
  const lastName = `Vasquez-${randomUUID().slice(0, 8)}`
  const customer = await addCustomer(page, lastName)
  return { ...customer, ...(await sellTo(page, customer, given)) }
}

export async function addCustomer(page: Page, lastName: string): Promise<{ id: string; customer: string; contactId: string }> {
  const person = { firstName: 'Noor', lastName, email: `${randomUUID()}@fastmail.example` }
  const created = await send<{ Id: string; name: string; refyneContactId: string }>(page, '/qbo/customers/create', person)
  return { id: created.Id, customer: created.name, contactId: created.refyneContactId }
}

export async function sellTo(
  page: Page,
  { id, customer }: { id: string; customer: string },
  {
    method = 'Visa',
    account,
    memo,
    isDeposit = false,
    status = 200,
  }: { method?: string; account?: string; memo?: string; isDeposit?: boolean; status?: 200 | 422 | 503 } = {},
): Promise<{ receiptId: string; number: string | null }> {
  const { accounts } = await read<{ accounts: Named[] }>(page, '/qbo/references/accounts/filtered')
  const { taxCodes } = await read<{ taxCodes: Named[] }>(page, '/qbo/references/taxcodes')
  const { items } = await read<{ items: { qbItemId: string; name: string }[] }>(page, '/qbo/items/search?query=rhinoplasty')
  const item = items[0]!
  const sale = {
    customerId: id,
    customerName: customer,
    classRef: null,
    lineItems: [
      {
        DetailType: 'SalesItemLineDetail',
        Amount: 100,
        Description: item.name,
        SalesItemLineDetail: {
          ItemRef: { value: item.qbItemId, name: item.name },
          UnitPrice: 100,
          Qty: 1,
          TaxCodeRef: { value: taxCodes.find(({ Name }) => Name === 'HST ON')!.Id },
        },
      },
    ],
    subtotal: 100,
    discountPercent: 0,
    discountAmount: 0,
    taxAmount: 13,
    total: 113,
    depositAccount: (accounts.find(({ Name }) => Name === account) ?? accounts[0])!.Id,
    memo: memo ?? null,
    paymentMethod: method,
    isDeposit,
    idempotencyKey: randomUUID(),
  }
  type Body = { receiptId?: string; DocNumber?: string; data?: { receiptId: string } }
  const response = await send<Body>(page, '/qbo/salesreceipt/create', sale, status)
  return { receiptId: (response.receiptId ?? response.data?.receiptId)!, number: response.DocNumber ?? null }
}

/** Redirects the consent page to the clinic's real URL: its port was unknown when the callback URL was configured. */
export async function redirectToClinic(page: Page, clinic: { url: string; quickBooks: { url: string } }): Promise<void> {
  await page.route(`${clinic.quickBooks.url}/connect/oauth2`, async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const { pathname, search } = new URL(response.headers().location ?? '/')
    await route.fulfill({ status: 302, headers: { location: `${clinic.url}${pathname}${search}` } })
  })
}
