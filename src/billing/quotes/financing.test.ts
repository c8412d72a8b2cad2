import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCustomer, usePointOfSale } from '../../../test/billing/point-of-sale.ts'
import { createSentQuote } from '../../../test/billing/quotes.ts'
import { untilNoneLeft } from '../../../test/jobs.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import { dayProblem, financingFee, financingStatuses, mayBecome } from './financing-rules.ts'

const clock = { now: new Date('2026-12-04T15:00:00Z') }
const till = usePointOfSale({}, {}, { now: () => clock.now })

/** An accepted quote with an application to Medicard. */
async function financed(given?: string) {
  const client = await till.server.as('billing')
  const contactId = given ?? (await createCustomer(client)).contactId
  const quote = await createSentQuote(client, contactId)
  const applied = await client.quotes.applyForFinancing({ id: quote.id, provider: 'Medicard', appliedOn: '2026-11-29' })
  await client.quotes.accept({ id: quote.id, totalCents: quote.totalCents })
  const { accounts } = await client.pos.accounts()
  return { client, contactId, quote, id: applied.financing!.id, depositAccount: accounts[0]!.Id }
}

describe('the financing of a quote', () => {
  it('is applied for, approved and paid as one receipt with its fee, once (issue 29)', async () => {
    const { client, contactId, quote, id, depositAccount } = await financed()
    const { totalCents } = quote
    const approved = await client.quotes.approveFinancing({
      id,
      decidedOn: '2026-11-30',
      amountCents: totalCents,
      feePercent: 650,
    })
    expect(approved.financing).toMatchObject({ status: 'approved', approvedCents: totalCents, feePercent: 650 })
    const feeCents = financingFee(totalCents, 650)
    const payment = { id, paidCents: totalCents - feeCents, feeCents, paidOn: '2026-12-04', depositAccount }
    const [paid] = await Promise.all([client.quotes.payFinancing(payment), client.quotes.payFinancing(payment)])
    expect(paid.financing).toMatchObject({ status: 'paid', paidCents: totalCents - feeCents, feeCents, paidOn: '2026-12-04' })
    expect((await client.quotes.payFinancing(payment)).financing).toEqual(paid.financing)
    expect(await client.collections.account({ contactId })).toMatchObject({
      balanceCents: 0,
      payments: [{ paymentMethod: 'Medicard', totalCents }],
    })
    expect(till.quickBooks.receipts()[0]).toMatchObject({ TotalAmt: (totalCents - feeCents) / 100, PrivateNote: 'Paid by Medicard' })
    expect(await client.pos.receipt({ id: paid.financing!.receiptId! })).toMatchObject({
      prepaid: [{ kind: 'fee', amountCents: feeCents }],
      differenceCents: null,
    })
    expect(await client.pos.receiptTotals({ contactId })).toMatchObject({ prepaidCents: feeCents, feeCents, goodwillCents: 0 })
    const timeline = await till.server.rows<{ description: string }>('select description from interactions where contact_id = $1', [
      contactId,
    ])
    const lines = timeline.map(({ description }) => description)
    expect(lines).toContain(`Quote ${quote.number}: financing with Medicard paid to the clinic`)
    expect(await refusal(client.quotes.payFinancing({ ...payment, paidCents: payment.paidCents - 1 }))).toMatchObject({ status: 409 })
    // A fee above the payment would write off the patient's debt.
    const { data } = await refusal(client.quotes.payFinancing({ ...payment, paidCents: 1 }))
    expect(data.fields).toEqual({ feeCents: 'The fee cannot be more than what was paid to the clinic' })
  })

  it('is paid once QuickBooks, which answered late, has the receipt (issue 29)', async () => {
    const { client, contactId, quote, id, depositAccount } = await financed()
    const { totalCents } = quote
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: totalCents, feePercent: 650 })
    const feeCents = financingFee(totalCents, 650)
    const payment = { id, paidCents: totalCents - feeCents, feeCents, paidOn: '2026-12-02', depositAccount }
    const before = till.quickBooks.receipts().length
    till.quickBooks.fault({ kind: 'dropAfter', match: 'salesreceipt', times: 2 })
    const late = await refusal(client.quotes.payFinancing(payment))
    expect(late).toMatchObject({ code: 'PENDING' })
    const financing = async () => (await client.quotes.get({ id: quote.id })).financing
    expect(await financing()).toMatchObject({ status: 'approved', paidOn: '2026-12-02', receiptId: null })
    expect(await refusal(client.quotes.declineFinancing({ id, decidedOn: '2026-12-04' }))).toMatchObject({ status: 409, code: 'PAYING' })
    const { receiptId } = late.data as { receiptId: string }
    await client.pos.retry({ id: receiptId })
    const paid = { status: 'paid', paidOn: '2026-12-02', paidCents: payment.paidCents, feeCents, receiptId }
    expect(await financing()).toMatchObject(paid)
    expect(await client.collections.account({ contactId })).toMatchObject({ balanceCents: 0 })
    expect((await client.quotes.payFinancing(payment)).financing).toMatchObject(paid)
    expect(till.quickBooks.receipts()).toHaveLength(before + 1)
  })

  it('can be declined again once the receipt of its payment is cancelled (issue 29)', async () => {
    const { client, quote, id, depositAccount } = await financed()
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: quote.totalCents, feePercent: 0 })
    till.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, match: 'salesreceipt', times: 2 })
    const late = await refusal(client.quotes.payFinancing({ id, paidCents: 100, feeCents: 0, paidOn: '2026-12-04', depositAccount }))
    await client.pos.cancel({ id: (late.data as { receiptId: string }).receiptId })
    expect((await client.quotes.declineFinancing({ id, decidedOn: '2026-12-04' })).financing).toMatchObject({
      status: 'declined',
      paidOn: null,
    })
  })

  it('is not declined when its payment is recorded in the meantime (issue 29)', async () => {
    const { client, quote, id, depositAccount } = await financed()
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: quote.totalCents, feePercent: 0 })
    const waiting = () => till.server.rows("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")
    const lock = await till.server.hold('select 1 from quotes where id = $1 for update', [quote.id])
    const declining = refusal(client.quotes.declineFinancing({ id, decidedOn: '2026-12-04' }))
    await until(async () => (await waiting()).length === 1)
    const paying = client.quotes.payFinancing({ id, paidCents: 100, feeCents: 0, paidOn: '2026-12-04', depositAccount })
    await until(async () => (await till.server.rows('select 1 from sales_receipts where idempotency_key = $1', [id])).length === 1)
    await lock.release()
    expect(await declining).toMatchObject({ code: 'PAYING' })
    expect((await paying).financing).toMatchObject({ status: 'paid', paidOn: '2026-12-04' })
  })

  it('keeps no day of a payment that has no receipt, so that someone is asked about it (issue 29)', async () => {
    const { client, quote, id, depositAccount } = await financed()
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: quote.totalCents, feePercent: 0 })
    const payment = { id, paidCents: 100, feeCents: 0, paidOn: '2026-12-04', depositAccount: 'unknown' }
    await refusal(client.quotes.payFinancing(payment))
    expect((await client.quotes.get({ id: quote.id })).financing).toMatchObject({ status: 'approved', paidOn: null })
    expect((await client.quotes.payFinancing({ ...payment, depositAccount })).financing).toMatchObject({ status: 'paid' })
  })

  it('may be declined, and then be applied for elsewhere, but not twice at a time (issue 29)', async () => {
    const { client, quote, id, depositAccount } = await financed()
    const again = { id: quote.id, provider: 'Beautifi', appliedOn: '2026-11-30' }
    expect(await refusal(client.quotes.applyForFinancing(again))).toMatchObject({ code: 'FINANCED' })
    const payment = { id, paidCents: 1, feeCents: 0, paidOn: '2026-12-04', depositAccount }
    expect(await refusal(client.quotes.payFinancing(payment))).toMatchObject({ code: 'NOT_NEXT' })
    await client.quotes.declineFinancing({ id, decidedOn: '2026-11-30' })
    expect(await refusal(client.quotes.declineFinancing({ id, decidedOn: '2026-11-30' }))).toMatchObject({
      code: 'NOT_NEXT',
    })
    expect((await client.quotes.applyForFinancing(again)).financing).toMatchObject({ provider: 'Beautifi', status: 'applied' })
  })

  it('pays what is open of the charge and leaves the rest as credit (issue 29)', async () => {
    const { client, contactId, quote, id, depositAccount } = await financed()
    const paidCents = quote.totalCents + 50_000
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: paidCents, feePercent: 0 })
    await client.quotes.payFinancing({ id, paidCents, feeCents: 0, paidOn: '2026-12-04', depositAccount })
    const { charges, payments } = await client.collections.account({ contactId })
    expect(charges).toMatchObject([{ openCents: 0 }])
    expect(payments).toMatchObject([{ appliedCents: quote.totalCents, creditCents: 50_000 }])
  })

  it('is paid for a patient who was not in QuickBooks before (issue 29)', async () => {
    const client = await till.server.as('billing')
    const email = `${randomUUID()}@fastmail.example`
    const { id: contactId } = await (await till.server.as('front_desk')).contacts.create({ firstName: 'Ana', lastName: 'Silva', email })
    const { id, depositAccount } = await financed(contactId)
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: 100, feePercent: 0 })
    const payment = { id, paidCents: 100, feeCents: 0, paidOn: '2026-12-04', depositAccount }
    expect((await client.quotes.payFinancing(payment)).financing).toMatchObject({ status: 'paid' })
    const { customer } = await client.pos.customerOfContact({ contactId })
    expect(customer).toMatchObject({ email })
  })

  it('takes no day in the future or before the step before, and no expired quote (issue 29)', async () => {
    const { client, contactId, id, depositAccount } = await financed()
    const fieldsOf = async (call: Promise<unknown>) => Object.keys(((await refusal(call)).data as { fields: object }).fields)
    const approve = (decidedOn: string) => client.quotes.approveFinancing({ id, decidedOn, amountCents: 100, feePercent: 0 })
    const pay = (paidOn: string) => client.quotes.payFinancing({ id, paidCents: 100, feeCents: 0, paidOn, depositAccount })
    for (const day of ['2026-11-28', '2026-12-05']) {
      expect(await fieldsOf(approve(day))).toEqual(['decidedOn'])
      expect(await fieldsOf(client.quotes.declineFinancing({ id, decidedOn: day }))).toEqual(['decidedOn'])
    }
    await approve('2026-11-30')
    for (const day of ['2026-11-29', '2026-12-05']) expect(await fieldsOf(pay(day))).toEqual(['paidOn'])
    const other = await createSentQuote(client, contactId, { validUntil: '2026-12-04' })
    const apply = (appliedOn: string) => client.quotes.applyForFinancing({ id: other.id, provider: 'Medicard', appliedOn })
    for (const day of ['1999-12-31', '2026-12-05']) expect(await fieldsOf(apply(day))).toEqual(['appliedOn'])
    clock.now = new Date('2026-12-05T15:00:00Z')
    expect(await refusal(apply('2026-12-04'))).toMatchObject({ code: 'EXPIRED' })
  })

  it('gives a task when an approval was not paid for two weeks, once (issue 29)', async () => {
    const { client, contactId, quote, id } = await financed()
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: quote.totalCents, feePercent: 0 })
    const tasks = () =>
      till.server.rows<{ title: string }>(`select title from tasks where contact_id = $1 and title like '%not paid%'`, [contactId])
    for (const [day, count] of [
      ['2026-12-13', 0],
      ['2026-12-14', 1],
      ['2026-12-15', 1],
    ] as const) {
      clock.now = new Date(`${day}T15:00:00Z`)
      await till.server.rows("select graphile_worker.add_job('quotes.remind-financing')")
      await untilNoneLeft(till.server, 'quotes.remind-financing')
      expect(await tasks()).toHaveLength(count)
    }
    expect(await tasks()).toEqual([{ title: `Quote ${quote.number} financing was approved on 2026-11-30 and not paid: ask Medicard` }])
  })

  it('waits with that task for a payment that QuickBooks does not have yet, and not for one that was cancelled (issue 29)', async () => {
    const { client, contactId, id, depositAccount } = await financed()
    await client.quotes.approveFinancing({ id, decidedOn: '2026-11-30', amountCents: 100, feePercent: 0 })
    till.quickBooks.fault({ kind: 'status', status: 429, retryAfter: 0, match: 'salesreceipt', times: 2 })
    const pending = await refusal(client.quotes.payFinancing({ id, paidCents: 100, feeCents: 0, paidOn: '2026-12-04', depositAccount }))
    expect(pending.code).toBe('PENDING')
    clock.now = new Date('2026-12-14T15:00:00Z')
    const remind = async () => {
      await till.server.rows("select graphile_worker.add_job('quotes.remind-financing')")
      await untilNoneLeft(till.server, 'quotes.remind-financing')
      return till.server.rows(`select 1 from tasks where contact_id = $1 and title like '%not paid%'`, [contactId])
    }
    expect(await remind()).toHaveLength(0)
    await client.pos.cancel({ id: (pending.data as { receiptId: string }).receiptId })
    expect(await remind()).toHaveLength(1)
  })
})

it.each([
  ['2026-12-04', null],
  ['2026-12-05', 'This date can’t be in the future'],
  ['2026-11-28', 'This date can’t be before the previous step'],
])('finds what is wrong with %s as the day of a decision (issue 29)', (day, problem) => {
  expect(dayProblem(day, '2026-11-29', '2026-12-04')).toBe(problem)
})

it('ends once financing is declined or paid, and keeps at most half of it as a fee (issue 29)', () => {
  fc.assert(
    fc.property(fc.constantFrom(...financingStatuses), fc.nat(10_000_000), fc.nat(5_000), (status, cents, percent) => {
      expect(mayBecome('declined', status) || mayBecome('paid', status)).toBe(false)
      expect(financingFee(cents, percent)).toBeLessThanOrEqual(Math.ceil(cents / 2))
    }),
  )
  expect([financingFee(100_000, 650), financingFee(1, 5_000), financingFee(100, 0)]).toEqual([6_500, 1, 0])
})
