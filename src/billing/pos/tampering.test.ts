import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCustomer, newSale, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { databaseFingerprint } from '../../../test/database-fingerprint.ts'

describe('tampered payloads', () => {
  const till = usePointOfSale()

  it('refuses changed amounts, quantities, discounts and unknown references without calling QuickBooks', async () => {
    const client = await till.server.as('front_desk')
    const customer = await createCustomer(client)
    const sale = await newSale(
      client,
      customer,
      [
        { name: 'Consultation', unitPrice: 15_000, quantity: 2 },
        { name: 'Septoplasty', unitPrice: 190_000, taxCode: 'Exempt', exemptReason: 'Referred' },
      ],
      { discount: 1_000 },
    )
    const [first, second] = sale.lineItems as [(typeof sale.lineItems)[0], (typeof sale.lineItems)[0]]
    const withFirst = (change: object, detail: object = {}) => ({
      lineItems: [{ ...first, ...change, SalesItemLineDetail: { ...first.SalesItemLineDetail, ...detail } }, second],
    })
    const cases: [change: object, code: string, field: string][] = [
      [{ total: sale.total - 0.01 }, 'TOTALS_DIFFER', 'total'],
      [{ total: 0.01 }, 'TOTALS_DIFFER', 'total'],
      [{ taxAmount: 0, total: sale.total - sale.taxAmount }, 'TOTALS_DIFFER', 'taxAmount'],
      [{ subtotal: sale.subtotal - 1 }, 'TOTALS_DIFFER', 'subtotal'],
      [{ discountAmount: sale.discountAmount + 1 }, 'TOTALS_DIFFER', 'discountAmount'],
      [withFirst({ Amount: 1 }), 'TOTALS_DIFFER', 'lineItems.0.Amount'],
      [withFirst({}, { UnitPrice: 1 }), 'TOTALS_DIFFER', 'lineItems.0.Amount'],
      [withFirst({}, { UnitPrice: 1.005 }), 'INVALID_INPUT', 'lineItems.0.SalesItemLineDetail.UnitPrice'],
      [withFirst({}, { UnitPrice: -1 }), 'INVALID_INPUT', 'lineItems.0.SalesItemLineDetail.UnitPrice'],
      [withFirst({}, { Qty: -2 }), 'INVALID_INPUT', 'lineItems.0.SalesItemLineDetail.Qty'],
      [withFirst({}, { Qty: 0 }), 'INVALID_INPUT', 'lineItems.0.SalesItemLineDetail.Qty'],
      [withFirst({}, { Qty: 1.5 }), 'INVALID_INPUT', 'lineItems.0.SalesItemLineDetail.Qty'],
      [withFirst({}, { Qty: 3 }), 'TOTALS_DIFFER', 'lineItems.0.Amount'],
      [withFirst({}, { ItemRef: { value: '999999' } }), 'INVALID_REFERENCE', 'lineItems.0.SalesItemLineDetail.ItemRef'],
      [withFirst({}, { TaxCodeRef: { value: '999' } }), 'INVALID_REFERENCE', 'lineItems.0.SalesItemLineDetail.TaxCodeRef'],
      [
        {
          lineItems: [
            first,
            { ...second, SalesItemLineDetail: { ...second.SalesItemLineDetail, TaxCodeRef: first.SalesItemLineDetail.TaxCodeRef } },
          ],
        },
        'TOTALS_DIFFER',
        'taxAmount',
      ],
      [{ lineItems: [] }, 'INVALID_INPUT', 'lineItems'],
      [{ discountPercent: 101 }, 'INVALID_INPUT', 'discountPercent'],
      [{ discountPercent: -1 }, 'INVALID_INPUT', 'discountPercent'],
      [{ discountPercent: 10.001 }, 'INVALID_INPUT', 'discountPercent'],
      [{ discountPercent: 50 }, 'TOTALS_DIFFER', 'discountAmount'],
      [{ depositAccount: '999' }, 'INVALID_REFERENCE', 'depositAccount'],
      // The bank account itself: payments go to a clearing account first.
      [{ depositAccount: '1' }, 'INVALID_REFERENCE', 'depositAccount'],
      [{ classRef: '999' }, 'INVALID_REFERENCE', 'classRef'],
      [{ customerId: '999999' }, 'INVALID_REFERENCE', 'customerId'],
      [{ customerId: '' }, 'INVALID_INPUT', 'customerId'],
      [{ idempotencyKey: 'mine' }, 'INVALID_INPUT', 'idempotencyKey'],
      [{ createdBy: randomUUID() }, 'INVALID_INPUT', 'createdBy'],
      [{ total: '13' }, 'INVALID_INPUT', 'total'],
      [{ total: Number.MAX_VALUE }, 'INVALID_INPUT', 'total'],
    ]
    till.quickBooks.resetCalls()
    const cookie = await till.server.signIn('front_desk')
    const before = await databaseFingerprint(till.server)
    for (const [change, code, field] of cases) {
      const answer = await till.server.send(
        'POST',
        '/api/qbo/salesreceipt/create',
        { ...sale, idempotencyKey: randomUUID(), ...change },
        cookie,
      )
      const body = (await answer.json()) as { code: string; data: { fields: Record<string, string> } }
      expect([change, answer.status, body.code, typeof body.data?.fields[field]]).toEqual([change, 422, code, 'string'])
    }
    expect(await databaseFingerprint(till.server)).toEqual(before)
    expect(till.quickBooks.calls()).toEqual({})
    await client.pos.createReceipt(sale)
  })

  it('refuses a reused key for another sale, and returns the same receipt for the same sale', async () => {
    const client = await till.server.as('sales_rep')
    const customer = await createCustomer(client)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 15_000 }])
    const made = await client.pos.createReceipt(sale)
    const before = till.quickBooks.receipts().length
    expect(await client.pos.createReceipt(sale)).toEqual(made)
    await expect(client.pos.createReceipt({ ...sale, memo: 'Another' })).rejects.toMatchObject({ status: 409, code: 'KEY_REUSED' })
    expect(till.quickBooks.receipts()).toHaveLength(before)
  })

  it('refuses payments by providers and signed-out users', async () => {
    for (const [cookie, status] of [
      [await till.server.signIn('provider'), 403],
      [undefined, 401],
    ] as const) {
      const answer = await till.server.send('POST', '/api/qbo/salesreceipt/create', {}, cookie)
      expect(answer.status).toBe(status)
    }
  })
})
