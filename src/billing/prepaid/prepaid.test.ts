import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCustomer, newSale, type Sold, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { refusal } from '../../../test/refusal.ts'
import type { Client } from '../../../test/server.ts'
import { codeOf } from './ledger.ts'
import { formatSplit } from './rules.ts'

const clock = { now: new Date('2026-11-29T15:00:00Z') }
const till = usePointOfSale({}, {}, { now: () => clock.now })
const clerk = () => till.server.as('billing')
let client: Client
let customer: Awaited<ReturnType<typeof createCustomer>>
beforeEach(async () => {
  clock.now = new Date('2026-11-29T15:00:00Z')
  till.quickBooks.clearFaults()
  till.quickBooks.setOffline(false)
  client = await clerk()
  customer = await createCustomer(client)
})

type Sale = Awaited<ReturnType<typeof newSale>>
const balances = () => client.prepaid.ofContact({ contactId: customer.contactId })
const codesOf = async () =>
  (
    await till.server.rows<{ sealed_code: string }>(
      `select sealed_code from prepaid_accounts where kind = 'gift-card' and customer_id = $1 order by created_at, id`,
      [customer.id],
    )
  ).map(({ sealed_code: sealedCode }) => codeOf(till.server.running.runtime.env, { sealedCode })!)
const untaxed = { taxCode: 'Out of Scope' }
const sell = async (cart: Sold[], given: Partial<Sale> & { prepaid?: object[]; isDeposit?: boolean } = {}) => {
  const sale = await newSale(client, customer, cart)
  return client.pos.createReceipt({ ...sale, ...given } as Sale)
}

/** A gift card in dollars, and its code. */
async function giftCard(dollars = 100) {
  await sell([{ name: 'Gift card', unitPrice: dollars * 100, ...untaxed }])
  return (await codesOf()).at(-1)!
}
async function packageOf(sessions: number, cents: number, expiresOn: string | null = null, item = 'Consultation') {
  const { items } = await client.pos.searchItems({ query: item })
  const sale = await newSale(client, customer, [{ name: 'Package', unitPrice: cents }])
  const line = { ...sale.lineItems[0]!, package: { itemId: items[0]!.qbItemId, sessions, expiresOn } }
  await client.pos.createReceipt({ ...sale, lineItems: [line] })
  return (await balances()).find(({ kind }) => kind === 'package')!
}
/** What QuickBooks owes for each item, in cents: what was sold of it less what was used. */
function liabilityOf(name: string): number {
  type Line = { Amount: number; SalesItemLineDetail?: { ItemRef: { name: string } } }
  const sum = (receipts: readonly object[]) =>
    receipts
      .flatMap((receipt) => (receipt as { Line: Line[] }).Line)
      .filter((line) => line.SalesItemLineDetail?.ItemRef.name === name)
      .reduce((all, { Amount }) => all + Math.round(Amount * 100), 0)
  return sum(till.quickBooks.receipts()) - sum(till.quickBooks.refunds())
}
const ledgerOf = async (kind: string) =>
  Number(
    (
      await till.server.rows<{ sum: string }>('select coalesce(sum(balance_cents), 0) as sum from prepaid_accounts where kind = $1', [kind])
    )[0]!.sum,
  )
const expectBooksToAgree = async () => {
  expect(liabilityOf('Gift card')).toBe(await ledgerOf('gift-card'))
  expect(liabilityOf('Package')).toBe(await ledgerOf('package'))
  expect(liabilityOf('Store credit')).toBe(await ledgerOf('credit'))
}

describe('gift cards', () => {
  it('are sold without tax as a liability, do not expire, and pay a part of a sale (issue 29)', async () => {
    const code = await giftCard(100)
    const [receipt] = (await client.pos.receipts({})).data
    expect(await client.pos.soldGiftCards({ id: receipt!.id })).toEqual({ giftCards: [{ code, cents: 10_000 }] })
    expect(await client.prepaid.giftCard({ code: code.toLowerCase().replaceAll('-', ' ') })).toEqual({
      last4: code.slice(-4),
      balanceCents: 10_000,
    })
    expect(await balances()).toMatchObject([
      { kind: 'gift-card', balanceCents: 10_000, expiresOn: null, entries: [{ kind: 'issue', amountCents: 10_000 }] },
    ])
    // $50.00 and HST
    const { receiptId } = await sell([{ name: 'Consultation', unitPrice: 5_000 }], { prepaid: [{ code, amountCents: 4_000 }] })
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 6_000 })
    expect(await client.pos.receipt({ id: receiptId })).toMatchObject({
      totalCents: 5_650,
      prepaidCents: 4_000,
      prepaid: [{ kind: 'gift-card', last4: code.slice(-4), amountCents: 4_000 }],
      paymentMethod: 'Visa',
      differenceCents: null,
    })
    expect(till.quickBooks.receipts()[0]).toMatchObject({ TotalAmt: 16.5, TxnTaxDetail: { TotalTax: 6.5 } })
    await expectBooksToAgree()
  })

  it('are shown apart from the money in the patient’s payments and in the refunds of a receipt (issue 29)', async () => {
    const code = await giftCard(100)
    const { receiptId } = await sell([{ name: 'Consultation', unitPrice: 25_000 }], { prepaid: [{ code, amountCents: 10_000 }] })
    const giftCardPart = { kind: 'gift-card', last4: code.slice(-4), amountCents: 10_000 }
    const { payments } = await client.collections.account({ contactId: customer.contactId })
    const payment = payments.find((one) => one.receiptId === receiptId)!
    expect(payment).toMatchObject({ totalCents: 28_250, paymentMethod: 'Visa', prepaidCents: 10_000, prepaid: [giftCardPart] })
    expect(formatSplit(payment)).toBe(`Gift card ending in ${code.slice(-4)} $100.00, Visa $182.50`)
    const { depositAccountId } = await client.pos.receipt({ id: receiptId })
    await client.pos.refund({
      id: receiptId,
      lines: [0],
      amountCents: 28_250,
      reason: 'Treated elsewhere',
      depositAccount: depositAccountId,
      paymentMethod: 'Visa',
      idempotencyKey: randomUUID(),
    })
    const { refunds } = await client.pos.receipt({ id: receiptId })
    expect(refunds).toMatchObject([
      { totalCents: -28_250, paymentMethod: 'Visa', prepaidCents: -10_000, prepaid: [{ ...giftCardPart, amountCents: -10_000 }] },
    ])
    expect(formatSplit(refunds[0]!)).toBe(formatSplit(payment))
  })

  it('pay a whole sale, also one with a discount, and count as no money of the day (issue 29)', async () => {
    const code = await giftCard(100)
    const sale = await newSale(
      client,
      customer,
      [
        { name: 'Consultation', unitPrice: 3_333 },
        { name: 'Consultation', unitPrice: 2_000, ...untaxed },
      ],
      {
        discount: 1_000,
      },
    )
    const total = Math.round(sale.total * 100)
    const before = await client.pos.receiptTotals({})
    const { receiptId } = await client.pos.createReceipt({ ...sale, prepaid: [{ code, amountCents: total }] })
    expect(await client.pos.receipt({ id: receiptId })).toMatchObject({
      paymentMethod: 'Gift card',
      prepaidCents: total,
      differenceCents: null,
    })
    const { payments } = await client.collections.account({ contactId: customer.contactId })
    // Its amount is the total beside it.
    expect(formatSplit(payments.find((one) => one.receiptId === receiptId)!)).toBe(`Gift card ending in ${code.slice(-4)}`)
    expect(till.quickBooks.receipts()[0]).toMatchObject({ TotalAmt: 0 })
    const after = await client.pos.receiptTotals({})
    const moneyOf = ({ accounts }: typeof after) => accounts.reduce((sum, { totalCents }) => sum + totalCents, 0)
    expect([after.totalCents - before.totalCents, after.prepaidCents - before.prepaidCents]).toEqual([total, total])
    expect(moneyOf(after)).toBe(moneyOf(before))
    await expectBooksToAgree()
  })

  it('cannot be spent twice by 50 desks at the same time (issue 29)', async () => {
    const code = await giftCard(100)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 3_000, ...untaxed }])
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        client.pos.createReceipt({ ...sale, prepaid: [{ code, amountCents: 3_000 }], idempotencyKey: randomUUID() }),
      ),
    )
    const paid = results.filter(({ status }) => status === 'fulfilled')
    expect(paid).toHaveLength(3)
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 1_000 })
    await expectBooksToAgree()
  })

  it('are used once however often the sale is sent (issue 29)', async () => {
    const code = await giftCard(100)
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 3_000, ...untaxed }])
    const given = { ...sale, prepaid: [{ code, amountCents: 3_000 }] }
    const made = await Promise.all(Array.from({ length: 5 }, () => client.pos.createReceipt(given)))
    expect(new Set(made.map(({ receiptId }) => receiptId)).size).toBe(1)
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 7_000 })
    expect(await refusal(client.pos.createReceipt({ ...given, prepaid: [{ code, amountCents: 2_000 }] }))).toMatchObject({
      code: 'KEY_REUSED',
    })
  })

  it('get back what a refund gives back, before any money (issue 29)', async () => {
    const code = await giftCard(100)
    const { receiptId } = await sell([{ name: 'Consultation', unitPrice: 15_000, ...untaxed }], {
      prepaid: [{ code, amountCents: 10_000 }],
    })
    const { depositAccountId } = await client.pos.receipt({ id: receiptId })
    const refund = (amountCents: number) =>
      client.pos.refund({
        id: receiptId,
        lines: [0],
        amountCents,
        reason: 'Cancelled',
        depositAccount: depositAccountId,
        paymentMethod: 'Visa',
        idempotencyKey: randomUUID(),
      })
    expect(await client.pos.receipt({ id: receiptId })).toMatchObject({ leftOfPrepaid: [10_000] })
    const first = await refund(8_000)
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 8_000 })
    expect(await client.pos.receipt({ id: receiptId })).toMatchObject({ leftOfPrepaid: [2_000] })
    expect(await client.pos.receipt({ id: first.receiptId })).toMatchObject({
      totalCents: -8_000,
      prepaidCents: -8_000,
      paymentMethod: 'Gift card',
    })
    const second = await refund(7_000)
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 10_000 })
    expect(await client.pos.receipt({ id: second.receiptId })).toMatchObject({
      prepaidCents: -2_000,
      paymentMethod: 'Visa',
      differenceCents: null,
    })
    expect(till.quickBooks.refunds()[0]).toMatchObject({ TotalAmt: 50 })
    await expectBooksToAgree()
  })

  it('are refunded up to what is left of them (issue 29)', async () => {
    const { receiptId } = await sell([{ name: 'Gift card', unitPrice: 10_000, ...untaxed }])
    const [code = ''] = await codesOf()
    await sell([{ name: 'Consultation', unitPrice: 4_000, ...untaxed }], { prepaid: [{ code, amountCents: 4_000 }] })
    const { depositAccountId, ...before } = await client.pos.receipt({ id: receiptId })
    expect(before).toMatchObject({ leftOfLines: [6_000], usedOfLines: [4_000] })
    const refund = (amountCents: number) =>
      client.pos.refund({
        id: receiptId,
        lines: [0],
        amountCents,
        reason: 'Not wanted',
        depositAccount: depositAccountId,
        idempotencyKey: randomUUID(),
      })
    expect(await refusal(refund(10_000))).toMatchObject({ code: 'INVALID_REFERENCE' })
    await refund(6_000)
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 0 })
    expect(await client.pos.receipt({ id: receiptId })).toMatchObject({ leftOfLines: [0], usedOfLines: [4_000] })
    await expectBooksToAgree()
  })

  it('pay no charge of the patient who bought them (issue 29)', async () => {
    await giftCard(100)
    const { contactId } = customer
    const { charges } = await client.collections.addCharge({ contactId, description: 'Visit', amountCents: 10_000, dueOn: '2026-11-29' })
    const { payments } = await client.collections.account({ contactId })
    expect(payments).toMatchObject([{ totalCents: 10_000, leftCents: 0, creditCents: 0 }])
    expect(
      await refusal(client.collections.apply({ id: charges[0]!.id, receiptId: payments[0]!.receiptId, amountCents: 1 })),
    ).toMatchObject({ code: 'TOO_MUCH' })
  })

  it('are opened when QuickBooks has the sale, and get back what a cancelled sale took (issue 29)', async () => {
    const code = await giftCard(100)
    const refuseOnce = () => till.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, times: 2 })
    refuseOnce()
    const sale = await newSale(client, customer, [{ name: 'Consultation', unitPrice: 3_000, ...untaxed }])
    const failed = await refusal(client.pos.createReceipt({ ...sale, prepaid: [{ code, amountCents: 3_000 }] }))
    expect(failed.code).toBe('PENDING')
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 7_000 })
    const { receiptId } = failed.data as { receiptId: string }
    await client.pos.cancel({ id: receiptId })
    expect(await client.prepaid.giftCard({ code })).toMatchObject({ balanceCents: 10_000 })
    expect((await balances())[0]!.entries.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['reversal', 3_000],
      ['use', -3_000],
      ['issue', 10_000],
    ])
    const card = await newSale(client, customer, [{ name: 'Gift card', unitPrice: 2_500, ...untaxed }])
    refuseOnce()
    expect(await refusal(client.pos.createReceipt(card))).toMatchObject({ code: 'PENDING' })
    expect(await balances()).toHaveLength(1)
    await client.pos.createReceipt(card)
    expect(await balances()).toMatchObject([{ balanceCents: 2_500 }, { balanceCents: 10_000 }])
  })

  it('are refused where they are taxed, discounted, bought with another, or unknown (issue 29)', async () => {
    const code = await giftCard(100)
    const fieldsOf = async (call: Promise<unknown>) => Object.keys(((await refusal(call)).data as { fields: object }).fields)
    expect(await fieldsOf(sell([{ name: 'Gift card', unitPrice: 5_000 }]))).toEqual(['lineItems.0.SalesItemLineDetail.TaxCodeRef'])
    expect(
      await fieldsOf(sell([{ name: 'Gift card', unitPrice: 5_000, ...untaxed }], { prepaid: [{ code, amountCents: 5_000 }] })),
    ).toEqual(['prepaid'])
    const goods: Sold[] = [{ name: 'Consultation', unitPrice: 5_000, ...untaxed }]
    expect(await fieldsOf(sell(goods, { prepaid: [{ code: 'K7QM-2XRW-9PHD-4TLC', amountCents: 1 }] }))).toEqual(['prepaid.0.code'])
    expect(await fieldsOf(sell(goods, { prepaid: [{ code, amountCents: 10_001 }] }))).toEqual(['prepaid.0.amountCents'])
    expect(await fieldsOf(sell(goods, { prepaid: [{ code, amountCents: 6_000 }] }))).toEqual(['prepaid'])
    const discounted = await newSale(client, customer, [{ name: 'Gift card', unitPrice: 5_000, ...untaxed }], { discount: 1_000 })
    expect(await fieldsOf(client.pos.createReceipt(discounted))).toEqual(['discountPercent'])
    expect(await refusal(client.prepaid.giftCard({ code: 'x' }))).toMatchObject({ status: 404 })
  })

  it('are stored without their codes, and their ledger is only added to (issue 29)', async () => {
    const code = await giftCard(100)
    const rows = await till.server.rows('select * from prepaid_accounts where customer_id = $1', [customer.id])
    expect(JSON.stringify(rows)).not.toContain(code)
    await expect(till.server.rows('update prepaid_entries set amount_cents = 1')).rejects.toThrow(/prepaid_entries/)
    await expect(till.server.rows('delete from prepaid_entries')).rejects.toThrow(/prepaid_entries/)
  })
})

describe('packages', () => {
  it('are used session by session as revenue, to the cent, and a session can be returned (issue 29)', async () => {
    const sold = await packageOf(3, 10_000)
    expect(sold).toMatchObject({ kind: 'package', sessions: 3, sessionsLeft: 3, balanceCents: 10_000, expiresOn: null })
    const { id } = sold
    await client.prepaid.takeSession({ id, idempotencyKey: randomUUID() })
    expect(till.quickBooks.receipts()[0]).toMatchObject({ TotalAmt: 0, TxnTaxDetail: { TotalTax: 0 } })
    const key = randomUUID()
    const [used] = await client.prepaid.takeSession({ id, idempotencyKey: key })
    expect(await client.prepaid.takeSession({ id, idempotencyKey: key })).toMatchObject([{ sessionsLeft: 1 }])
    expect(used).toMatchObject({ sessionsLeft: 1, balanceCents: 3_333, entries: [{ kind: 'use', sessions: -1, isUndoable: true }, {}, {}] })
    const { receiptId } = used!.entries[0]!
    expect(await client.prepaid.undoSession({ id, receiptId, idempotencyKey: randomUUID() })).toMatchObject([
      { sessionsLeft: 2, balanceCents: 6_667 },
    ])
    expect(await refusal(client.prepaid.undoSession({ id, receiptId, idempotencyKey: randomUUID() }))).toMatchObject({ code: 'RETURNED' })
    await client.prepaid.takeSession({ id, idempotencyKey: randomUUID() })
    expect(await client.prepaid.takeSession({ id, idempotencyKey: randomUUID() })).toMatchObject([{ sessionsLeft: 0, balanceCents: 0 }])
    expect(await refusal(client.prepaid.takeSession({ id, idempotencyKey: randomUUID() }))).toMatchObject({ code: 'NO_SESSIONS' })
    await expectBooksToAgree()
  })

  it('give each session once to desks at the same time (issue 29)', async () => {
    const { id } = await packageOf(6, 10_001)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => client.prepaid.takeSession({ id, idempotencyKey: randomUUID() })),
    )
    const [left] = await balances()
    expect(left!.sessions! - left!.sessionsLeft).toBe(results.filter(({ status }) => status === 'fulfilled').length)
    for (let at = left!.sessionsLeft; at > 0; at--) await client.prepaid.takeSession({ id, idempotencyKey: randomUUID() })
    expect(await balances()).toMatchObject([{ sessionsLeft: 0, balanceCents: 0 }])
    await expectBooksToAgree()
  })

  it('expire only where they were sold with a last day (issue 29)', async () => {
    const { id } = await packageOf(3, 10_000, '2026-11-29')
    clock.now = new Date('2026-11-30T15:00:00Z')
    expect(await refusal(client.prepaid.takeSession({ id, idempotencyKey: randomUUID() }))).toMatchObject({ code: 'EXPIRED' })
    await expect(
      till.server.rows(`update prepaid_accounts set expires_on = '2027-01-01' where kind = 'gift-card'`).then(() => giftCard()),
    ).rejects.toThrow(/prepaid_accounts_expiry/)
  })
})

describe('a package', () => {
  it.each(['Gift card', 'Package', 'Store credit', 'Goodwill', 'Financing fee'])('contains no %s (issue 29)', async (name) => {
    const { items } = await client.pos.searchItems({ query: name })
    expect((await client.prepaid.sellable()).notInPackages).toContain(items[0]!.qbItemId)
    expect((await refusal(packageOf(3, 10_000, null, name))).data).toEqual({
      fields: { 'lineItems.0.package.itemId': 'A package can’t contain this item' },
    })
  })

  it('is not sold with a last day in the past (issue 29)', async () => {
    expect((await refusal(packageOf(3, 10_000, '2026-11-28'))).data).toEqual({
      fields: { 'lineItems.0.package.expiresOn': 'The last day can’t be in the past' },
    })
    expect(await packageOf(3, 10_000, '2026-11-29')).toMatchObject({ expiresOn: '2026-11-29' })
  })
})

describe('store credit', () => {
  it('is given with a reason, pays sales and charges, and is the practice’s expense (issue 29)', async () => {
    const { contactId } = customer
    const key = randomUUID()
    const given = { contactId, amountCents: 5_000, reason: 'Long wait', idempotencyKey: key }
    const [credit] = await client.prepaid.giveCredit(given)
    expect(credit).toMatchObject({ kind: 'credit', balanceCents: 5_000, entries: [{ kind: 'issue', reason: 'Long wait' }] })
    expect(await client.prepaid.giveCredit(given)).toMatchObject([{ balanceCents: 5_000 }])
    expect(till.quickBooks.receipts()[0]).toMatchObject({ TotalAmt: 0 })
    const accountId = credit!.id
    await sell([{ name: 'Consultation', unitPrice: 2_000, ...untaxed }], { prepaid: [{ accountId, amountCents: 2_000 }] })
    const { charges } = await client.collections.addCharge({ contactId, description: 'Deposit', amountCents: 2_500, dueOn: '2026-11-29' })
    const pay = { contactId, chargeId: charges[0]!.id, accountId, amountCents: 2_500, idempotencyKey: randomUUID() }
    expect(await client.prepaid.payCharge(pay)).toMatchObject([{ balanceCents: 500 }])
    expect(await client.prepaid.payCharge(pay)).toMatchObject([{ balanceCents: 500 }])
    expect(await client.collections.account({ contactId })).toMatchObject({ balanceCents: 0 })
    await expectBooksToAgree()
  })

  it('belongs to its patient, and is given only by those who may refund (issue 29)', async () => {
    const [credit] = await client.prepaid.giveCredit({
      contactId: customer.contactId,
      amountCents: 5_000,
      reason: 'Long wait',
      idempotencyKey: randomUUID(),
    })
    const other = await createCustomer(client)
    const sale = await newSale(client, other, [{ name: 'Consultation', unitPrice: 2_000, ...untaxed }])
    expect(await refusal(client.pos.createReceipt({ ...sale, prepaid: [{ accountId: credit!.id, amountCents: 1 }] }))).toMatchObject({
      data: { fields: { 'prepaid.0.accountId': 'This patient has no such store credit' } },
    })
    const desk = await till.server.as('front_desk')
    expect(
      await refusal(desk.prepaid.giveCredit({ contactId: other.contactId, amountCents: 1, reason: 'x', idempotencyKey: randomUUID() })),
    ).toMatchObject({ status: 403 })
  })

  it('takes a refund that the patient wants to keep with the practice (issue 29)', async () => {
    const { receiptId } = await sell([{ name: 'Consultation', unitPrice: 5_000 }])
    const { depositAccountId } = await client.pos.receipt({ id: receiptId })
    const refunded = await client.pos.refund({
      id: receiptId,
      lines: [0],
      amountCents: 5_650,
      reason: 'Cancelled',
      depositAccount: depositAccountId,
      paymentMethod: 'Store credit',
      idempotencyKey: randomUUID(),
    })
    expect(await client.pos.receipt({ id: refunded.receiptId })).toMatchObject({ totalCents: -5_650, prepaidCents: -5_650 })
    expect(till.quickBooks.refunds()[0]).toMatchObject({ TotalAmt: 0 })
    expect(await balances()).toMatchObject([{ kind: 'credit', balanceCents: 5_650 }])
    await expectBooksToAgree()
  })
})

describe('deleting a patient', () => {
  const outcome = async (contactId: string) => {
    const admin = await till.server.as('admin')
    return admin.contacts.delete({ id: contactId }).then(
      () => 'deleted',
      (error: unknown) => (error as { code: string }).code,
    )
  }

  it.each([
    ['a package', () => packageOf(3, 30_000)],
    [
      'store credit',
      () =>
        client.prepaid.giveCredit({
          contactId: customer.contactId,
          amountCents: 2_500,
          reason: 'Long wait',
          idempotencyKey: randomUUID(),
        }),
    ],
    ['a deposit', () => sell([{ name: 'Consultation', unitPrice: 20_000, ...untaxed }], { isDeposit: true })],
  ])('is refused while the practice holds %s of theirs (issue 29)', async (_, give) => {
    await give()
    const { contactId } = customer
    expect(await outcome(contactId)).toBe('PREPAID')
    const admin = await till.server.as('admin')
    const change = { kind: 'delete' as const, forGood: false }
    expect(await refusal(admin.bulkChanges.start({ selection: { ids: [contactId] }, change }))).toMatchObject({
      status: 409,
      code: 'PREPAID',
    })
  })

  it('is possible once it is used, and with a gift card, which someone else may have (issue 29)', async () => {
    const { contactId } = customer
    const [credit] = await client.prepaid.giveCredit({ contactId, amountCents: 2_500, reason: 'Long wait', idempotencyKey: randomUUID() })
    await sell([{ name: 'Consultation', unitPrice: 2_500, ...untaxed }], { prepaid: [{ accountId: credit!.id, amountCents: 2_500 }] })
    await packageOf(3, 30_000, '2026-11-30')
    const code = await giftCard(50)
    expect(await outcome(contactId)).toBe('PREPAID')
    clock.now = new Date('2026-12-01T15:00:00Z')
    expect(await outcome(contactId)).toBe('deleted')
    expect(await (await clerk()).prepaid.giftCard({ code })).toMatchObject({ balanceCents: 5_000 })
  })
})

describe('reports', () => {
  it('count revenue once: not when something prepaid is sold, but when it is used (issue 29)', async () => {
    const admin = await till.server.as('admin')
    const day = { period: 'custom', from: '2026-11-29', to: '2026-11-29' } as const
    const figures = async () => {
      const [revenue, receipts] = await Promise.all([
        admin.reports.run({ report: 'revenue', ...day }),
        admin.reports.run({ report: 'receipts', ...day }),
      ])
      return { revenue: revenue.figures.net!.now!, received: receipts.figures.total!.now! }
    }
    const start = await figures()
    const sinceStart = async () => {
      const { revenue, received } = await figures()
      return [revenue - start.revenue, received - start.received]
    }
    const treatment = (unitPrice: number) => [{ name: 'Consultation', unitPrice, ...untaxed }]

    const code = await giftCard(100)
    expect(await sinceStart()).toEqual([0, 10_000])
    const { receiptId } = await sell(treatment(12_000), { prepaid: [{ code, amountCents: 10_000 }] })
    expect(await sinceStart()).toEqual([12_000, 12_000])
    const { depositAccountId: depositAccount } = await client.pos.receipt({ id: receiptId })
    await client.pos.refund({
      id: receiptId,
      lines: [0],
      amountCents: 12_000,
      reason: 'Cancelled',
      depositAccount,
      paymentMethod: 'Visa',
      idempotencyKey: randomUUID(),
    })
    expect(await sinceStart()).toEqual([0, 10_000])

    const { id } = await packageOf(3, 30_000)
    expect(await sinceStart()).toEqual([0, 43_900])
    await client.prepaid.takeSession({ id, idempotencyKey: randomUUID() })
    expect(await sinceStart()).toEqual([10_000, 43_900])

    const { contactId } = customer
    await client.prepaid.giveCredit({ contactId, amountCents: 2_500, reason: 'Long wait', idempotencyKey: randomUUID() })
    expect(await sinceStart()).toEqual([10_000, 43_900])

    const deposit = await sell(treatment(20_000), { isDeposit: true })
    expect(await sinceStart()).toEqual([10_000, 63_900])
    const { charges } = await client.collections.addCharge({ contactId, description: 'Peel', amountCents: 15_000, dueOn: '2026-11-29' })
    const applied = { id: charges[0]!.id, receiptId: deposit.receiptId, amountCents: 15_000 }
    await client.collections.apply(applied)
    expect(await sinceStart()).toEqual([25_000, 63_900])
    await client.collections.release({ ...applied, amountCents: 5_000 })
    expect(await sinceStart()).toEqual([20_000, 63_900])

    const behind = await admin.reports.records({ report: 'revenue', ...day, measure: 'net' })
    expect(behind.data.map(({ amount }) => amount)).toEqual(expect.arrayContaining([-5_000, 15_000]))
    expect(behind.data.reduce((sum, { amount }) => sum + amount!, 0)).toBe((await figures()).revenue)
  })
})
