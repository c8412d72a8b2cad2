import { randomUUID } from 'node:crypto'
import Papa from 'papaparse'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadCatalogue, createCustomer, newSale, type Sold, usePointOfSale } from '../../../../test/billing/point-of-sale.ts'
import type { Client } from '../../../../test/server.ts'

describe('receipt list, totals and export', () => {
  const till = usePointOfSale()
  let client: Client
  beforeAll(async () => {
    client = await till.server.as('billing')
  })

  const rhinoplasty: Sold = { name: 'Rhinoplasty', unitPrice: 820_000 }
  type Customer = Awaited<ReturnType<typeof createCustomer>>

  async function sell(customer: Customer, cart: Sold[] = [rhinoplasty], change: Record<string, unknown> = {}) {
    const { receiptId } = await client.pos.createReceipt({ ...(await newSale(client, customer, cart)), ...change })
    return receiptId
  }
  const taken = (id: string, at: string) => till.server.rows('update sales_receipts set created_at = $2 where id = $1', [id, at])
  const idsOf = async (filters: Parameters<Client['pos']['receipts']>[0]) => (await client.pos.receipts(filters)).data.map(({ id }) => id)

  it('lists newest first, filtered by customer, number, patient, method, account, class and staff', async () => {
    const customer = await createCustomer(client)
    const first = await sell(customer, [rhinoplasty], { paymentMethod: 'Debit' })
    const { accounts, classes } = await loadCatalogue(client)
    const second = await sell(customer, [rhinoplasty], { depositAccount: accounts[1]!.Id, classRef: classes[1]!.Id })
    const mine = { contactId: customer.contactId }
    expect(await idsOf(mine)).toEqual([second, first])
    expect(await idsOf({ ...mine, method: 'Debit' })).toEqual([first])
    expect(await idsOf({ ...mine, accountId: accounts[1]!.Id })).toEqual([second])
    expect(await idsOf({ ...mine, classId: classes[1]!.Id })).toEqual([second])
    expect(await idsOf({ search: customer.name.toUpperCase().replace('É', 'e').slice(0, -1) })).toEqual([second, first])
    const { data } = await client.pos.receipts(mine)
    expect(await idsOf({ search: data[0]!.docNumber! })).toContain(second)
    expect(await idsOf({ ...mine, staffId: data[0]!.createdBy! })).toEqual([second, first])
    expect(await idsOf({ ...mine, staffId: (await till.server.account()).id })).toEqual([])
    expect(await idsOf({ ...mine, search: '100%_' })).toEqual([])
    const choices = await client.pos.receiptChoices()
    expect(choices.methods).toEqual(expect.arrayContaining(['Debit', 'Visa']))
    expect(choices.accounts).toEqual(expect.arrayContaining(accounts.slice(0, 2)))
    expect(choices.staff.map(({ id }) => id)).toContain(data[0]!.createdBy)
  })

  it('uses days in the practice’s time zone, also when the clocks change', async () => {
    const customer = await createCustomer(client)
    const mine = { contactId: customer.contactId }
    // In Toronto, November 1, 2026 has 25 hours: from 4:00 UTC to 5:00 UTC the next day.
    const instants = ['2026-11-01T03:59:59.999Z', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59.999Z', '2026-11-02T05:00:00Z']
    const ids: string[] = []
    for (const at of instants) {
      const id = await sell(customer)
      await taken(id, at)
      ids.push(id)
    }
    expect(await idsOf({ ...mine, from: '2026-11-01', to: '2026-11-01' })).toEqual([ids[2], ids[1]])
    expect(await idsOf({ ...mine, to: '2026-10-31' })).toEqual([ids[0]])
    expect(await idsOf({ ...mine, from: '2026-11-02' })).toEqual([ids[3]])
    expect(await idsOf({ ...mine, from: '2026-11-02', to: '2026-11-01' })).toEqual([])
    // March 14, 2027 has 23.
    await taken(ids[0]!, '2027-03-15T03:59:59.999Z')
    await taken(ids[1]!, '2027-03-15T04:00:00Z')
    expect(await idsOf({ ...mine, from: '2027-03-14', to: '2027-03-14' })).toEqual([ids[0]])
  })

  it('leaves receipts that are not in QuickBooks out of lists and totals unless requested', async () => {
    const customer = await createCustomer(client)
    const mine = { contactId: customer.contactId }
    till.quickBooks.setOffline(true)
    await expect(sell(customer)).rejects.toMatchObject({ code: 'PENDING' })
    till.quickBooks.setOffline(false)
    expect(await idsOf(mine)).toEqual([])
    expect((await client.pos.receiptTotals(mine)).count).toBe(0)
    const [pending] = await idsOf({ ...mine, state: 'pending' })
    await client.pos.retry({ id: pending! })
    expect(await idsOf(mine)).toEqual([pending])
  })

  it('sums totals by tax code, account and payment method', async () => {
    const customer = await createCustomer(client)
    const mine = { contactId: customer.contactId }
    const { accounts } = await loadCatalogue(client)
    const exempt: Sold = { name: 'Septoplasty', unitPrice: 190_001, taxCode: 'Exempt', exemptReason: 'Referred' }
    await sell(customer, [rhinoplasty, exempt])
    await sell(customer, [{ ...rhinoplasty, unitPrice: 1_05 }], { paymentMethod: 'Debit' })
    await sell(customer, [exempt], { depositAccount: accounts[1]!.Id, paymentMethod: null })
    const { data } = await client.pos.receipts(mine)
    const totals = await client.pos.receiptTotals(mine)
    const sum = (of: (row: (typeof data)[number]) => number) => data.reduce((all, row) => all + of(row), 0)
    expect(totals).toMatchObject({
      count: 3,
      subtotalCents: sum((row) => row.subtotalCents),
      discountCents: sum((row) => row.discountCents),
      taxCents: sum((row) => row.taxCents),
      totalCents: sum((row) => row.totalCents),
      differing: 0,
    })
    expect(totals.taxes.map(({ name, rate, base, tax }) => ({ name, rate, base, tax }))).toEqual([
      { name: 'HST ON', rate: 130_000, base: 820_105, tax: 106_614 },
      { name: 'Exempt', rate: 0, base: 380_002, tax: 0 },
    ])
    expect(totals.accounts.map(({ id, count, totalCents }) => [id, count, totalCents])).toEqual([
      [accounts[0]!.Id, 2, totals.totalCents - 190_001],
      [accounts[1]!.Id, 1, 190_001],
    ])
    expect(totals.accounts[0]!.methods.map(({ method, count }) => [method, count])).toEqual([
      ['Visa', 1],
      ['Debit', 1],
    ])
    expect(totals.accounts[1]!.methods).toEqual([{ method: 'Other', count: 1, totalCents: 190_001 }])
    await till.server.rows('update sales_receipts set qb_total_cents = total_cents + 1 where id = $1', [data[0]!.id])
    expect((await client.pos.receiptTotals(mine)).differing).toBe(1)
  })

  it('pages through 10,000 receipts without gaps or repeats while new ones arrive', async () => {
    const id = await sell(await createCustomer(client))
    const customerId = `many-${randomUUID()}`
    // All, or a tenth, have the same instant, so only their IDs order them.
    await till.server.rows(
      `insert into sales_receipts (state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes,
         subtotal_cents, discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, payment_method,
         qb_id, doc_number, is_uncertain, created_at, completed_at, created_by)
       select 'complete', gen_random_uuid(), '', gen_random_uuid(), realm_id, $2, 'Many Receipts', lines, taxes, subtotal_cents, discount_percent,
         discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, payment_method, 'many-' || n, n, false,
         timestamptz '2020-01-01 12:00Z' + (n / 10) * interval '1 second', now(), created_by
       from sales_receipts, generate_series(1, 10000) as n where id = $1`,
      [id, customerId],
    )
    await till.server.rows('analyze sales_receipts')
    const began = performance.now()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.pos.receipts({ to: '2020-12-31', limit: 200, cursor })
      seen.push(...page.data.map((row) => row.docNumber!))
      // A newer receipt arrives between pages.
      if (seen.length === 1_000) await taken(id, '2020-06-01T12:00:00Z')
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen).toHaveLength(10_000)
    expect(new Set(seen).size).toBe(10_000)
    expect((performance.now() - began) / 50, 'milliseconds per page').toBeLessThan(300)
    expect((await client.pos.receiptTotals({ to: '2020-12-31', search: 'many receipts' })).count).toBe(10_000)
    await till.server.rows('delete from sales_receipts where customer_id = $1', [customerId])
  })

  it('answers 422 to a malformed cursor or filter', async () => {
    const cookie = await till.server.signIn('billing')
    for (const query of ['cursor=yesterday', 'from=2026-02-30', 'state=gone', 'staffId=me', 'nothing=1', 'limit=201']) {
      const { status } = await till.server.send('GET', `/api/pos/receipts?${query}`, undefined, cookie)
      expect([query, status]).toEqual([query, 422])
    }
    expect((await till.server.send('GET', '/api/pos/receipts.csv?state=gone', undefined, cookie)).status).toBe(422)
  })

  it('records views in the audit log', async () => {
    const customer = await createCustomer(client)
    await sell(customer)
    await client.pos.receipts({ contactId: customer.contactId })
    const rows = await till.server.rows<{ action: string }>(
      `select action from audit_log where kind = 'sales receipt' and contact_ids @> array[$1::uuid] order by action`,
      [customer.contactId],
    )
    expect(rows).toContainEqual({ action: 'viewed' })
  })

  describe('CSV', () => {
    const rowsOf = async (query: Record<string, string>) => {
      const cookie = await till.server.signIn('billing')
      const answer = await till.server.request(`/api/pos/receipts.csv?${new URLSearchParams(query)}`, { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''receipts-\d{4}-\d{2}-\d{2}\.csv$/)
      return Papa.parse<Record<string, string>>((await answer.text()).replace(/^\uFEFF/, ''), { header: true, skipEmptyLines: true }).data
    }

    it('exports the listed receipts with numeric amounts and escapes formulas', async () => {
      const customer = await createCustomer(client)
      const id = await sell(customer, [{ ...rhinoplasty, quantity: 2 }], { memo: '=1+1', paymentMethod: '@cmd' })
      await taken(id, '2026-03-08T05:30:00Z')
      const rows = await rowsOf({ contactId: customer.contactId })
      expect(rows).toHaveLength(1)
      expect(rows[0]).toMatchObject({
        Date: '2026-03-08',
        Time: '00:30',
        State: 'complete',
        Customer: customer.name,
        Subtotal: '16400.00',
        Discount: '0.00',
        Tax: '2132.00',
        'Tax by code': 'HST ON 13%: 2132.00',
        Total: '18532.00',
        'QuickBooks total': '18532.00',
        Memo: "'=1+1",
        'Payment method': "'@cmd",
        'Taken by': 'Test billing',
      })
      expect(rows[0]!.Items).toMatch(/^2 × Rhinoplasty/)
      const audited = await till.server.rows(
        `select 1 from audit_log where action = 'exported' and kind = 'sales receipt' and contact_ids @> array[$1::uuid]`,
        [customer.contactId],
      )
      expect(audited).toHaveLength(1)
    })

    it('applies the filters', async () => {
      const customer = await createCustomer(client)
      await sell(customer, [rhinoplasty], { paymentMethod: 'Cheque' })
      expect(await rowsOf({ contactId: customer.contactId, method: 'Visa' })).toEqual([])
      expect(await rowsOf({ contactId: customer.contactId, method: 'Cheque' })).toHaveLength(1)
    })
  })
})
