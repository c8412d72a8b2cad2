import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCustomer, newSale, usePointOfSale } from '../../test/billing/point-of-sale.ts'
import { textOfPdf } from '../../test/formats/pdf.ts'
import { portalOf } from '../../test/portal.ts'
import type { Client } from '../../test/server.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { VerifiedContactId } from '../kernel/scope.ts'
import type { OwnAccount } from './receipts-contract.ts'

const till = usePointOfSale({ PRACTICE_NAME: 'Harbourview', TRUST_PROXY: 'true' })
let desk: Client
beforeAll(async () => {
  desk = await till.server.as('front_desk')
})
const cart = [{ name: 'Rhinoplasty', unitPrice: 820_000 }]

/** A patient with a receipt, in the portal. */
async function paid() {
  const portal = portalOf(till.server)
  const customer = await createCustomer(desk)
  const payload = await newSale(desk, customer, cart)
  const sale = await desk.pos.createReceipt(payload)
  const { body } = await portal.call('verify-document-access', { email: customer.email, otp: await portal.newCode(customer.email) })
  const own = { contactId: customer.contactId, sessionToken: String(body?.sessionToken) }
  const account = async () => (await portal.call('patient-receipts-fetch', own)).body as unknown as OwnAccount
  return { portal, own, sale, depositAccount: payload.depositAccount, account }
}

describe('receipts in the portal', () => {
  it('lists sales and refunds with what for, how paid and amount, newest first, with what is still owed', async () => {
    const { portal, own, sale, depositAccount, account } = await paid()
    const admin = await till.server.as('admin')
    const { receiptId } = await admin.pos.refund({
      id: sale.receiptId,
      lines: [0],
      amountCents: 10_000,
      reason: 'Part not done',
      depositAccount,
      idempotencyKey: randomUUID(),
    })
    await admin.collections.addCharge({
      contactId: own.contactId,
      description: 'Balance of surgery',
      amountCents: 60_000,
      dueOn: '2030-02-10',
      isBeforeSurgery: false,
      plan: [
        { dueOn: '2030-01-10', amountCents: 20_000 },
        { dueOn: '2030-02-10', amountCents: 40_000 },
      ],
    })
    const found = await account()
    expect(found.receipts).toMatchObject([
      { id: receiptId, kind: 'refund', items: [{ name: 'Rhinoplasty' }], totalCents: -10_000 },
      {
        id: sale.receiptId,
        kind: 'sale',
        number: sale.DocNumber,
        items: [{ name: 'Rhinoplasty' }],
        paymentMethod: 'Visa',
        isDeposit: false,
      },
    ])
    expect(found.portions).toMatchObject([
      { cents: 20_000, dueOn: '2030-01-10' },
      { cents: 40_000, dueOn: '2030-02-10' },
    ])
    // Neither accounts nor memos of the practice.
    expect(Object.keys(found.receipts[0]!).toSorted()).toEqual(
      ['appliedCents', 'createdAt', 'fileUrl', 'id', 'isDeposit', 'items', 'kind', 'number', 'paymentMethod', 'totalCents'].toSorted(),
    )
    expect((await portal.call('patient-home-fetch', own)).body).toMatchObject({ receiptCount: 2, balance: { cents: 60_000 } })
  })

  it('gives the PDF by a link of the session, and to no one who changes the link', async () => {
    const { portal, own, account } = await paid()
    const { fileUrl } = (await account()).receipts[0]!
    const answer = await till.server.request(fileUrl)
    expect(answer.status).toBe(200)
    expect((await textOfPdf(new Uint8Array(await answer.arrayBuffer()))).join(' ')).toContain('Rhinoplasty')
    const foreign = (await (await paid()).account()).receipts[0]!
    for (const changed of [
      fileUrl.replace(/signature=./, 'signature=!'),
      fileUrl.replace(/expires=\d/, 'expires=9'),
      fileUrl.replace(/file\/[^?]+/, `file/${foreign.id}`),
      fileUrl.replace('receipt-file', 'quote-file'),
    ])
      expect((await till.server.request(changed)).status).toBe(404)
    await portal.call('patient-sign-out', { sessionToken: own.sessionToken })
    expect((await till.server.request(fileUrl)).status).toBe(404)
  })

  it('keeps patients from the receipts of others, also under the database role of the portal', async () => {
    const { portal, own } = await paid()
    const other = await paid()
    expect(await portal.call('patient-receipts-fetch', { ...own, contactId: other.own.contactId })).toMatchObject({ status: 404 })
    expect(await portal.call('patient-receipts-fetch', { ...own, sessionToken: 'made-up' })).toMatchObject({ status: 401 })
    const denials = await till.server.rows(
      "select 1 from audit_log where action = 'denied' and kind = 'sales receipt' and contact_ids = array[$1::uuid]",
      [own.contactId],
    )
    expect(denials).toHaveLength(1)
    const { db, env } = till.server.running.runtime
    const readAs = (query: string) =>
      db.transaction((tx) => asPatient(tx, env, own.contactId as VerifiedContactId, (mine) => mine.execute(sql.raw(query))))
    expect((await readAs('select * from own_receipts')).rows).toHaveLength(1)
    expect((await readAs(`select * from own_receipts where id = '${other.sale.receiptId}'`)).rows).toEqual([])
    await expect(readAs('select * from sales_receipts')).rejects.toThrow('Failed query')
  })

  it('does not show a receipt before QuickBooks has it', async () => {
    const { sale, account } = await paid()
    await till.server.rows("update sales_receipts set state = 'pending' where id = $1", [sale.receiptId])
    expect((await account()).receipts).toEqual([])
  })
})
