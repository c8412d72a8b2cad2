import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCustomer, newSale, type Sold, usePointOfSale } from '../../../../test/billing/point-of-sale.ts'
import { insertContact } from '../../../../test/factories.ts'
import type { Client } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

const refusal = (asking: Promise<unknown>) =>
  asking.then(
    () => ({ code: 'ok' as string, data: null as unknown }),
    (error: { code: string; data: unknown }) => ({ code: error.code, data: error.data }),
  )

const cart: Sold[] = [
  { name: 'Rhinoplasty', unitPrice: 820_000 },
  { name: 'Septoplasty', unitPrice: 190_001, taxCode: 'Exempt', exemptReason: 'Referred' },
]

describe('refunds', () => {
  const till = usePointOfSale()
  const clerk = () => till.server.as('billing')

  async function sold(client: Client, given: { discount?: number; cart?: Sold[] } = {}) {
    const customer = await createCustomer(client)
    const payload = await newSale(client, customer, given.cart ?? cart, given)
    const { receiptId } = await client.pos.createReceipt(payload)
    return { customer, payload, receipt: await client.pos.receipt({ id: receiptId }) }
  }
  const refundOf = (id: string, amountCents: number, given: { lines?: number[]; key?: string; depositAccount: string }) => ({
    id,
    lines: given.lines ?? [0, 1],
    amountCents,
    reason: 'Surgery cancelled',
    depositAccount: given.depositAccount,
    paymentMethod: 'Visa',
    idempotencyKey: given.key ?? randomUUID(),
  })

  it('refunds a whole sale with a discount and two tax codes in QuickBooks, and adds a timeline entry', async () => {
    const client = await clerk()
    const { customer, payload, receipt } = await sold(client, { discount: 1_250 })
    const { depositAccount } = payload
    const done = await client.pos.refund(refundOf(receipt.id, receipt.totalCents, { depositAccount }))
    expect(done).toMatchObject({ contactId: customer.contactId, differenceCents: null })
    const [booked] = till.quickBooks.refunds()
    const [original] = till.quickBooks.receipts()
    expect(booked).toMatchObject({ Id: done.Id, TotalAmt: original!.TotalAmt, CustomerRef: { value: customer.id } })
    expect(booked!.TxnTaxDetail).toMatchObject({ TotalTax: (original!.TxnTaxDetail as { TotalTax: number }).TotalTax })
    expect(booked!.PrivateNote).toBe('Surgery cancelled. Paid by Visa')
    const after = await client.pos.receipt({ id: receipt.id })
    expect(after).toMatchObject({
      refundedCents: receipt.totalCents,
      leftOfLines: [0, 0],
      refunds: [{ id: done.receiptId, state: 'complete' }],
    })
    const refund = await client.pos.receipt({ id: done.receiptId })
    expect(refund).toMatchObject({
      kind: 'refund',
      refundOf: receipt.id,
      totalCents: -receipt.totalCents,
      refundReason: 'Surgery cancelled',
    })
    const { data } = await client.interactions.list({ contactId: customer.contactId })
    expect(data.map(({ type }) => type)).toEqual(expect.arrayContaining(['quickbooks', 'sales_receipt']))
    expect(data.find(({ type }) => type === 'quickbooks')).toMatchObject({
      description: expect.stringMatching(/^Refund receipt \d+, \$/),
      metadata: { kind: 'refund', refundReason: 'Surgery cancelled', totalCents: -receipt.totalCents },
    })
    // A fully refunded day totals zero.
    expect(await client.pos.receiptTotals({ contactId: customer.contactId })).toMatchObject({
      count: 2,
      totalCents: 0,
      taxCents: 0,
      refunds: { count: 1, totalCents: receipt.totalCents },
      differing: 0,
    })
  })

  it('refunds parts of single lines until nothing is left', async () => {
    const client = await clerk()
    const { payload, receipt } = await sold(client)
    const { depositAccount } = payload
    const first = await client.pos.refund(refundOf(receipt.id, 113_00, { lines: [0], depositAccount }))
    expect(await client.pos.receipt({ id: first.receiptId })).toMatchObject({
      subtotalCents: -100_00,
      taxCents: -13_00,
      totalCents: -113_00,
    })
    await client.pos.refund(refundOf(receipt.id, 190_001, { lines: [1], depositAccount }))
    const { leftOfLines } = await client.pos.receipt({ id: receipt.id })
    expect(leftOfLines).toEqual([926_600 - 113_00, 0])
    expect(await refusal(client.pos.refund(refundOf(receipt.id, 1, { lines: [1], depositAccount })))).toMatchObject({
      code: 'TOO_MUCH',
      data: { openCents: 0, fields: { amountCents: 'This is more than is left to refund' } },
    })
    await client.pos.refund(refundOf(receipt.id, leftOfLines[0]!, { lines: [0], depositAccount }))
    expect((await client.pos.receipt({ id: receipt.id })).refundedCents).toBe(receipt.totalCents)
  })

  it('refuses excess amounts, unknown lines or accounts, refunds of refunds and reused keys without calling QuickBooks', async () => {
    const client = await clerk()
    const { payload, receipt } = await sold(client)
    const { depositAccount } = payload
    const key = randomUUID()
    const { receiptId } = await client.pos.refund(refundOf(receipt.id, 5_000, { depositAccount, key }))
    till.quickBooks.resetCalls()
    const refused = async (asked: Parameters<Client['pos']['refund']>[0]) => (await refusal(client.pos.refund(asked))).code
    expect(await refused(refundOf(receipt.id, receipt.totalCents - 4_999, { depositAccount }))).toBe('TOO_MUCH')
    expect(await refused(refundOf(receipt.id, 1, { depositAccount, lines: [2] }))).toBe('INVALID_REFERENCE')
    expect(await refused(refundOf(receipt.id, 1, { depositAccount: '35' }))).toBe('INVALID_REFERENCE')
    expect(await refused(refundOf(receiptId, 1, { depositAccount, lines: [0] }))).toBe('NOT_REFUNDABLE')
    expect(await refused(refundOf(randomUUID(), 1, { depositAccount }))).toBe('NOT_FOUND')
    expect(await refused(refundOf(receipt.id, 5_001, { depositAccount, key }))).toBe('KEY_REUSED')
    expect(await refused({ ...refundOf(receipt.id, 1, { depositAccount }), reason: ' ' })).toBe('INVALID_INPUT')
    expect(await refused({ ...refundOf(receipt.id, 1, { depositAccount }), lines: [0, 0] })).toBe('INVALID_INPUT')
    for (const role of ['sales_rep', 'front_desk', 'provider'] as const) {
      expect((await refusal((await till.server.as(role)).pos.refund(refundOf(receipt.id, 1, { depositAccount })))).code).toBe('FORBIDDEN')
    }
    expect(till.quickBooks.calls()).toEqual({})
  })

  it('requires unapplying a payment before refunding it, and leaves no deposit for the refunded amount', async () => {
    const client = await clerk()
    const { customer, payload, receipt } = await sold(client, {
      cart: [{ name: 'Consultation', unitPrice: 50_000, taxCode: 'Zero-rated' }],
    })
    const { contactId } = customer
    const { depositAccount } = payload
    const given = { depositAccount, lines: [0] }
    const { charges } = await client.collections.addCharge({
      contactId,
      description: 'Rhinoplasty',
      amountCents: 80_000,
      dueOn: '2026-12-01',
    })
    await client.collections.apply({ id: charges[0]!.id, receiptId: receipt.id, amountCents: 30_000 })
    expect(await client.pos.receipt({ id: receipt.id })).toMatchObject({ appliedCents: 30_000 })
    expect(await refusal(client.pos.refund(refundOf(receipt.id, 20_001, given)))).toMatchObject({
      code: 'TOO_MUCH',
      data: { openCents: 20_000 },
    })
    await client.pos.refund(refundOf(receipt.id, 15_000, given))
    expect((await client.collections.account({ contactId })).deposits).toMatchObject([{ leftCents: 5_000 }])
    const apply = (amountCents: number) => client.collections.apply({ id: charges[0]!.id, receiptId: receipt.id, amountCents })
    expect((await refusal(apply(5_001))).code).toBe('TOO_MUCH')
    // Two concurrent requests share the remaining amount.
    const outcomes = await Promise.all([
      refusal(apply(5_000)),
      refusal(client.pos.refund(refundOf(receipt.id, 5_000, given))),
      refusal(client.pos.refund(refundOf(receipt.id, 5_000, given))),
    ])
    expect(outcomes.map(({ code }) => code).toSorted()).toEqual(['TOO_MUCH', 'TOO_MUCH', 'ok'])
  })

  it('creates one refund for 50 concurrent requests with one key, even if QuickBooks fails after saving it', async () => {
    const client = await clerk()
    const { payload, receipt } = await sold(client)
    const before = till.quickBooks.refunds().length
    till.quickBooks.fault({ kind: 'dropAfter', match: 'refundreceipt', times: 3 })
    const asked = refundOf(receipt.id, 10_000, { depositAccount: payload.depositAccount })
    await Promise.all(Array.from({ length: 50 }, () => refusal(client.pos.refund(asked))))
    await until(async () => (await client.pos.receipt({ id: receipt.id })).refunds[0]?.state === 'complete' || (await again()))
    async function again() {
      await refusal(client.pos.refund(asked))
      return false
    }
    till.quickBooks.clearFaults()
    expect(till.quickBooks.refunds().length - before).toBe(1)
    expect((await client.pos.receipt({ id: receipt.id })).refundedCents).toBe(10_000)
  })

  it('lets only users who may refund retry or cancel a pending refund', async () => {
    const client = await clerk()
    const { payload, receipt } = await sold(client)
    till.quickBooks.fault({ kind: 'status', status: 400, match: 'refundreceipt' })
    await refusal(client.pos.refund(refundOf(receipt.id, 10_000, { depositAccount: payload.depositAccount })))
    const { data: receipts } = await client.pos.pending({})
    const { id } = receipts.find(({ refundOf }) => refundOf === receipt.id)!
    for (const role of ['sales_rep', 'front_desk'] as const) {
      const theirs = await till.server.as(role)
      expect([(await refusal(theirs.pos.cancel({ id }))).code, (await refusal(theirs.pos.retry({ id }))).code]).toEqual([
        'FORBIDDEN',
        'FORBIDDEN',
      ])
    }
    expect((await refusal(client.pos.cancel({ id }))).code).toBe('ok')
    till.quickBooks.clearFaults()
  })

  it('answers no error to 10 concurrent requests with one key, repeatedly', async () => {
    const client = await clerk()
    const { payload, receipt } = await sold(client)
    for (let round = 0; round < 4; round++) {
      const asked = refundOf(receipt.id, 1_000, { depositAccount: payload.depositAccount })
      const codes = await Promise.all(Array.from({ length: 10 }, async () => (await refusal(client.pos.refund(asked))).code))
      expect(new Set(codes)).toEqual(new Set(['ok']))
    }
  })

  it('hides refunds and payment emails on the timeline from providers, and shows them to billing', async () => {
    const client = await clerk()
    const { customer, payload, receipt } = await sold(client)
    const { contactId } = customer
    await client.pos.refund(refundOf(receipt.id, 10_000, { depositAccount: payload.depositAccount }))
    await client.pos.emailReceipt({ id: receipt.id, email: customer.email, idempotencyKey: randomUUID() })
    const [desk, provider] = [await till.server.as('front_desk'), await till.server.as('provider')]
    await desk.interactions.create({ contactId, type: 'email', description: 'About the scar' })
    const seenBy = async (who: Client) =>
      (await who.interactions.list({ contactId })).data.map(({ type, metadata }) => [type, metadata?.about ?? null])
    expect(await seenBy(provider)).not.toContainEqual(['email', 'payment'])
    expect((await seenBy(provider)).map(([type]) => type)).not.toEqual(expect.arrayContaining(['sales_receipt']))
    expect((await seenBy(provider)).map(([type]) => type)).toContain('email')
    expect(await seenBy(client)).toContainEqual(['email', 'payment'])
    expect(await seenBy(client)).not.toContainEqual(['email', null])
    expect(await seenBy(desk)).toEqual(
      expect.arrayContaining([
        ['email', 'payment'],
        ['email', null],
        ['sales_receipt', null],
        ['quickbooks', null],
      ]),
    )
  })

  it('keeps a refund pending while QuickBooks is down, counts it as refunded, and records or cancels it later', async () => {
    const client = await clerk()
    const { payload, receipt } = await sold(client)
    const { depositAccount } = payload
    till.quickBooks.setOffline(true)
    const kept = await refusal(client.pos.refund(refundOf(receipt.id, 10_000, { depositAccount })))
    expect(kept.code).toBe('PENDING')
    expect((await client.pos.receipt({ id: receipt.id })).refundedCents).toBe(10_000)
    const { data: receipts } = await client.pos.pending({})
    expect(receipts.find(({ refundOf }) => refundOf === receipt.id)).toMatchObject({ kind: 'refund', totalCents: -10_000 })
    till.quickBooks.setOffline(false)
    const { receiptId } = kept.data as { receiptId: string }
    await client.pos.retry({ id: receiptId })
    expect(await client.pos.receipt({ id: receiptId })).toMatchObject({ state: 'complete' })
  })
})

describe('payments taken for a charge', () => {
  const till = usePointOfSale()

  it('apply up to the open amount in the transaction that completes the receipt; the excess stays a deposit', async () => {
    const client = await till.server.as('front_desk')
    const customer = await createCustomer(client)
    const { contactId } = customer
    const charge = async (amountCents: number) =>
      (await client.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents, dueOn: '2026-12-01' })).charges[0]!
    const [small, large] = [await charge(10_000), await charge(90_000)]
    const sale = async (unitPrice: number, chargeId: string) => ({
      ...(await newSale(client, customer, [{ name: 'Consultation', unitPrice, taxCode: 'Zero-rated' }])),
      chargeId,
    })
    await client.pos.createReceipt(await sale(15_000, small.id))
    expect(await client.collections.account({ contactId })).toMatchObject({ balanceCents: 90_000, deposits: [{ leftCents: 5_000 }] })
    // QuickBooks was down: the payment is applied when the receipt is recorded.
    till.quickBooks.setOffline(true)
    const { data } = await refusal(client.pos.createReceipt(await sale(40_000, large.id)))
    expect((await client.collections.account({ contactId })).balanceCents).toBe(90_000)
    till.quickBooks.setOffline(false)
    await client.pos.retry({ id: (data as { receiptId: string }).receiptId })
    expect((await client.collections.account({ contactId })).balanceCents).toBe(50_000)
  })

  it('are refused for an unknown entry, an entry that is not a charge, or another patient’s charge', async () => {
    const client = await till.server.as('front_desk')
    const customer = await createCustomer(client)
    const other = await insertContact(till.server)
    const theirs = (
      await client.collections.addCharge({ contactId: other, description: 'Rhinoplasty', amountCents: 10_000, dueOn: '2026-12-01' })
    ).charges[0]!
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 10_000 }])
    till.quickBooks.resetCalls()
    for (const chargeId of [randomUUID(), theirs.id]) {
      expect(await refusal(client.pos.createReceipt({ ...sale, chargeId, idempotencyKey: randomUUID() }))).toMatchObject({
        code: 'INVALID_REFERENCE',
        data: { fields: { chargeId: 'This charge does not belong to this customer' } },
      })
    }
    expect(till.quickBooks.calls()).toEqual({})
  })
})
