import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { confirmWith, hookAt, useCards } from '../../../test/billing/cards.ts'
import { createCustomer } from '../../../test/billing/point-of-sale.ts'
import { makeDue, untilNoneLeft } from '../../../test/jobs.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import { payPath } from '../cards/service.ts'

const clock = { now: new Date('2026-11-29T15:00:00Z') }
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const till = useCards(stripe, { TRUST_PROXY: 'true' }, { now: () => clock.now })
const clerk = () => till.server.as('billing')

/** A patient's card payment, booked in QuickBooks. */
async function pay(amountCents: number) {
  const client = await clerk()
  const { contactId } = await createCustomer(client)
  await client.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents, dueOn: '2026-11-29' })
  const token = payPath(till.server.running.runtime, { kind: 'balance', id: contactId }, 3_600_000).slice('/pay/'.length)
  const { clientSecret } = await till.server.client().payLinks.start({ token, amountCents, idempotencyKey: randomUUID() })
  await confirmWith(stripe, clientSecret)
  await until(async () => (await client.collections.account({ contactId })).balanceCents === 0)
  const charge = stripe.list('charge').find(({ payment_intent: id }) => clientSecret.startsWith(`${id}_`))!
  return { contactId, charge }
}
const listed = async () => (await clerk()).payouts.list({})
const payoutWith = async (stripePayoutId: unknown) => (await listed()).data.find((one) => one.stripePayoutId === stripePayoutId)
/** Pays out what is there, and waits until the payout is in a state. */
async function payOut(state: string) {
  const made = stripe.payOut()!
  await until(async () => (await payoutWith(made.id))?.state === state)
  return (await payoutWith(made.id))!
}
const transactionOf = (sourceId: unknown) => stripe.list('balance_transaction').find(({ source }) => source === sourceId)!
const runWatch = async () => {
  await till.server.rows("select graphile_worker.add_job('payouts.watch-payouts')")
  await untilNoneLeft(till.server, 'payouts.watch-payouts')
  await untilNoneLeft(till.server, 'payouts.read-payout')
  // One that was postponed waits for a time of the server's clock.
  await makeDue(till.server, "task_id = (select id from graphile_worker._private_tasks where identifier = 'payouts.settle-deposit')")
  await untilNoneLeft(till.server, 'payouts.settle-deposit')
}

beforeEach(() => {
  clock.now = new Date('2026-11-29T15:00:00Z')
  stripe.clearFaults()
  stripe.setDeliveries({})
  stripe.setWebhook(hookAt(till.server))
  till.quickBooks.clearFaults()
  till.quickBooks.setOffline(false)
})

describe('payouts', () => {
  it('are compared with our records and posted to QuickBooks once, also when events are doubled and shuffled (issue 29)', async () => {
    stripe.setDeliveries({ isDoubled: true, shuffled: 3 })
    const [first, second] = [await pay(100_000), await pay(25_050)]
    const client = await clerk()
    const before = till.quickBooks.deposits().length
    stripe.payOut()
    await stripe.settled()
    await until(async () => (await listed()).data[0]?.state === 'posted')
    const payout = (await listed()).data[0]!
    const fees = 2_930 + 756
    expect(payout).toMatchObject({
      grossCents: 125_050,
      refundCents: 0,
      feeCents: fees,
      amountCents: 125_050 - fees,
      differences: [],
      postingProblem: null,
    })
    const [deposit, ...others] = till.quickBooks.deposits().slice(0, till.quickBooks.deposits().length - before)
    expect(others).toEqual([])
    expect(deposit).toMatchObject({
      TotalAmt: (125_050 - fees) / 100,
      TxnDate: payout.arrivesOn,
      DepositToAccountRef: { name: 'RBC Operating Chequing' },
      PrivateNote: `Stripe payout ${payout.stripePayoutId}`,
      Line: [
        { Amount: 1_250.5, DepositLineDetail: { AccountRef: { name: 'Stripe clearing' } } },
        { Amount: -fees / 100, DepositLineDetail: { AccountRef: { name: 'Merchant fees' } } },
      ],
    })
    const { data: transactions } = await client.payouts.transactions({ id: payout.id })
    const receipts = await client.pos.receipts({ contactId: first.contactId })
    expect(transactions.find(({ contact }) => contact?.id === first.contactId)).toMatchObject({
      receiptId: receipts.data[0]!.id,
      receiptNumber: receipts.data[0]!.docNumber,
    })
    expect(transactions.map(({ kind, contact, amountCents }) => [kind, contact?.id, amountCents])).toEqual(
      expect.arrayContaining([
        ['charge', first.contactId, 100_000],
        ['charge', second.contactId, 25_050],
      ]),
    )
    await runWatch()
    expect(await client.payouts.post({ id: payout.id })).toMatchObject({ state: 'posted' })
    expect(till.quickBooks.deposits()).toHaveLength(before + 1)
  })

  it('name a cent that differs, and are posted as the bank shows them once someone accepts that (issue 29)', async () => {
    const { charge, contactId } = await pay(40_000)
    const moved = transactionOf(charge.id)
    stripe.change(moved.id as string, { amount: 40_001, net: (moved.net as number) + 1 })
    const payout = await payOut('differences')
    expect(payout.differences).toEqual([{ kind: 'amount', transactionId: moved.id, expectedCents: 40_000, actualCents: 40_001 }])
    expect((await listed()).differing).toBe(1)
    const client = await clerk()
    const { differences } = await client.payouts.get({ id: payout.id })
    expect(differences).toMatchObject([{ transactionId: moved.id, contact: { id: contactId }, card: { brand: 'visa', last4: '4242' } }])
    const accepting = { id: payout.id, reason: 'The bank rounds', reconciledAt: payout.reconciledAt! }
    expect(await refusal(client.payouts.post({ id: payout.id }))).toMatchObject({ status: 409, code: 'NOT_READY' })
    expect(await refusal(client.payouts.accept({ ...accepting, reason: ' ' }))).toMatchObject({
      status: 422,
      data: { fields: { reason: expect.any(String) } },
    })
    expect(await refusal(client.payouts.accept({ ...accepting, reconciledAt: '2026-11-01T00:00:00Z' }))).toMatchObject({
      status: 409,
      code: 'CHANGED',
    })
    expect(await refusal((await till.server.as('front_desk')).payouts.accept(accepting))).toMatchObject({ status: 403 })
    await client.payouts.accept(accepting)
    await until(async () => (await client.payouts.get({ id: payout.id })).state === 'posted')
    expect(await client.payouts.accept({ ...accepting, reason: 'Once more' })).toMatchObject({
      acceptedReason: 'The bank rounds',
      state: 'posted',
    })
    expect(till.quickBooks.deposits()[0]).toMatchObject({ TotalAmt: payout.amountCents / 100 })
    const audits = await till.server.rows<{ after: { acceptedReason?: string } }>("select after from audit_log where kind = 'payout'")
    expect(audits).toContainEqual({ after: { id: payout.id, acceptedReason: 'The bank rounds', differences: payout.differences } })
  })

  it('name payments that are not ours, fees that are missing, and records that came late (issue 29)', async () => {
    const [{ charge }, late] = [await pay(30_000), await pay(20_000)]
    await till.server.rows("update card_payments set stripe_charge_id = 'ch_later' where stripe_charge_id = $1", [late.charge.id])
    const moved = transactionOf(charge.id)
    stripe.change(moved.id as string, { fee: 0, net: 30_000 })
    const payout = await payOut('differences')
    const foreign = transactionOf(late.charge.id).id
    expect(payout.differences).toEqual(
      expect.arrayContaining([
        { kind: 'missing-fee', transactionId: moved.id, expectedCents: null, actualCents: 0 },
        { kind: 'foreign-charge', transactionId: foreign, expectedCents: null, actualCents: 20_000 },
      ]),
    )
    expect(payout.differences).toHaveLength(2)
    await till.server.rows("update card_payments set stripe_charge_id = $1 where stripe_charge_id = 'ch_later'", [late.charge.id])
    const client = await clerk()
    expect((await client.payouts.check({ id: payout.id })).differences).toHaveLength(1)
  })

  it('are found by the daily job when their events are lost, although Stripe fails at first (issue 29)', async () => {
    for (let count = 0; count < 2; count++) await pay(10_000)
    stripe.setDeliveries({ lostShare: 1 })
    const made = stripe.payOut()!
    stripe.fault({ kind: 'status', status: 500, match: 'GET /v1/balance_transactions' })
    await runWatch()
    expect(await payoutWith(made.id)).toMatchObject({ state: 'posted', grossCents: 20_000 })
  })

  it('are posted once they are paid, also when their differences were accepted before (issue 29)', async () => {
    const { charge } = await pay(15_000)
    stripe.setDeliveries({ lostShare: 1 })
    stripe.change(transactionOf(charge.id).id as string, { fee: 0, net: 15_000 })
    const made = stripe.payOut()!
    stripe.change(made.id as string, { status: 'in_transit' })
    await runWatch()
    const { id, reconciledAt, differences } = (await payoutWith(made.id))!
    expect(differences).toMatchObject([{ kind: 'missing-fee' }])
    const client = await clerk()
    expect(await client.payouts.accept({ id, reason: 'No fee this month', reconciledAt: reconciledAt! })).toMatchObject({
      state: 'in-transit',
      deposit: null,
    })
    expect((await client.payouts.list({ state: 'matched' })).data).toEqual([])
    expect(await refusal(client.payouts.post({ id }))).toMatchObject({ code: 'NOT_READY' })
    stripe.change(made.id as string, { status: 'paid' })
    await runWatch()
    expect(await client.payouts.get({ id })).toMatchObject({ state: 'posted', acceptedReason: 'No fee this month' })
  })

  it('say that nothing is paid out when fees take up the payments (issue 29)', async () => {
    const { charge } = await pay(35_000)
    stripe.setDeliveries({ lostShare: 1 })
    const made = stripe.payOut()!
    stripe.change(transactionOf(charge.id).id as string, { fee: 35_000, net: 0 })
    stripe.change(made.id as string, { amount: 0 })
    await runWatch()
    const { id, state, differences } = (await payoutWith(made.id))!
    expect([state, differences]).toEqual(['empty', []])
    expect(await refusal((await clerk()).payouts.post({ id }))).toMatchObject({ code: 'NOT_READY' })
  })

  it('hold refunds and disputes, which lower what reaches the bank (issue 29)', async () => {
    const [refunded, disputed] = [await pay(80_000), await pay(50_000)]
    const client = await clerk()
    const receipt = (await client.pos.receipts({ contactId: refunded.contactId })).data[0]!
    const { accounts } = await client.pos.accounts()
    const account = await client.collections.account({ contactId: refunded.contactId })
    await client.collections.release({ id: account.charges[0]!.id, receiptId: receipt.id, amountCents: 80_000 })
    await client.pos.refund({
      id: receipt.id,
      lines: [0],
      amountCents: 5_000,
      reason: 'Cancelled',
      depositAccount: accounts.find(({ Name }) => Name === 'Stripe clearing')!.Id,
      paymentMethod: 'Card online',
      idempotencyKey: randomUUID(),
    })
    await until(() => stripe.list('refund').length > 0)
    stripe.dispute({ charge: disputed.charge.id as string, amount: 50_000 })
    await until(async () => (await client.disputes.list({})).data.some(({ contact }) => contact.id === disputed.contactId))
    const payout = await payOut('posted')
    expect(payout).toMatchObject({
      grossCents: 130_000,
      refundCents: -5_000,
      disputeCents: -50_000,
      feeCents: 2_350 + 1_480 + 1_500,
      differences: [],
    })
    const { data: transactions } = await client.payouts.transactions({ id: payout.id })
    const [refund] = (await client.pos.receipts({ contactId: refunded.contactId })).data
    const [dispute] = (await client.disputes.list({})).data.filter(({ contact }) => contact.id === disputed.contactId)
    expect(refund).toMatchObject({ kind: 'refund' })
    expect(transactions.find(({ kind }) => kind === 'refund')).toMatchObject({
      receiptId: refund!.id,
      contact: { id: refunded.contactId },
    })
    expect(transactions.find(({ kind }) => kind === 'dispute')).toMatchObject({
      disputeId: dispute!.id,
      contact: { id: disputed.contactId },
    })
    expect(till.quickBooks.deposits()[0]!.Line).toMatchObject([
      { Amount: 1_300, Description: 'Card payments' },
      { Amount: -50, Description: 'Refunds to cards' },
      { Amount: -53.3, Description: 'Stripe fees' },
      { Amount: -500, Description: 'Disputed payments' },
    ])
  })

  it('show that QuickBooks has another total than the bank (issue 29)', async () => {
    await pay(55_000)
    const { id, amountCents } = await payOut('posted')
    await till.server.rows('update payout_deposits set qb_total_cents = total_cents - 1 where id = $1', [id])
    const client = await clerk()
    expect(await client.payouts.get({ id })).toMatchObject({ state: 'unequal', deposit: { qbTotalCents: amountCents - 1 } })
    expect((await client.payouts.list({ state: 'unequal' })).data.map((one) => one.id)).toEqual([id])
  })

  it('wait for QuickBooks, are asked again after a lost answer, and are posted once (issue 29)', async () => {
    await pay(60_000)
    const before = till.quickBooks.deposits().length
    till.quickBooks.fault({ kind: 'dropAfter', match: 'POST /v3/company', times: 2 })
    const payout = await payOut('matched')
    const client = await clerk()
    await until(async () => (await client.payouts.get({ id: payout.id })).deposit?.isUncertain === true)
    await until(async () => (await client.payouts.get({ id: payout.id })).deposit?.nextAttemptAt !== null)
    expect(till.quickBooks.deposits()).toHaveLength(before + 1)
    expect(await client.payouts.post({ id: payout.id })).toMatchObject({ state: 'posted', deposit: { isUncertain: false, problem: null } })
    expect(till.quickBooks.deposits()).toHaveLength(before + 1)
  })

  it('say why QuickBooks refused them or was not asked, and are posted by staff afterwards (issue 29)', async () => {
    await pay(70_000)
    await till.server.rows("update quickbooks_objects set name = 'Renamed' where kind = 'account' and name = 'Merchant fees'")
    const missing = await payOut('matched')
    expect(missing).toMatchObject({ deposit: null, postingProblem: 'QuickBooks has no account “Merchant fees” (CARD_FEE_ACCOUNT)' })
    const client = await clerk()
    expect(await refusal(client.payouts.post({ id: missing.id }))).toMatchObject({ code: 'NOT_READY', message: missing.postingProblem })
    await till.server.rows("update quickbooks_objects set name = 'Merchant fees', id = '9999' where kind = 'account' and name = 'Renamed'")
    expect(await refusal(client.payouts.post({ id: missing.id }))).toMatchObject({
      status: 422,
      code: 'REFUSED',
      message: expect.stringContaining('9999'),
    })
    expect(await client.payouts.get({ id: missing.id })).toMatchObject({
      state: 'matched',
      deposit: { state: 'failed', problem: expect.stringContaining('9999') },
    })
    await till.server.rows("delete from quickbooks_objects where id = '9999'")
    await (await till.server.as('admin')).quickbooks.refresh()
    expect(await client.payouts.post({ id: missing.id })).toMatchObject({ state: 'posted', postingProblem: null })
  })

  it('list payments that no payout holds in time, and payouts that the bank returned (issue 29)', async () => {
    const { contactId, charge } = await pay(90_000)
    const client = await clerk()
    expect((await client.payouts.overdue({})).data).toEqual([])
    clock.now = new Date('2026-12-10T15:00:01Z')
    const overdue = await client.payouts.overdue({})
    expect(overdue).toMatchObject({ total: 1, data: [{ amountCents: 90_000, contact: { id: contactId } }] })
    const payout = await payOut('posted')
    expect(await client.payouts.overdue({})).toMatchObject({ data: [], total: 0 })
    stripe.change(payout.stripePayoutId, { status: 'failed' })
    expect(await client.payouts.check({ id: payout.id })).toMatchObject({ state: 'returned', deposit: { state: 'complete' } })
    expect(transactionOf(charge.id)).toBeDefined()
  })

  it('are waited for as long as the practice has waited for payouts before (issue 29)', async () => {
    const { contactId } = await pay(45_000)
    for (const [id, day] of [
      ['po_october', '2026-10-15'],
      ['po_november', '2026-11-15'],
    ])
      await till.server.rows(
        `insert into payouts (stripe_payout_id, status, amount_cents, currency, is_automatic, arrives_on, created_at, is_read, reconciled_at)
         values ($1, 'paid', 100, 'cad', true, $2, $2::date, true, $2::date)`,
        [id, day],
      )
    const client = await clerk()
    clock.now = new Date('2027-01-06T14:59:59Z')
    expect(await client.payouts.overdue({})).toEqual({ data: [], total: 0, afterDays: 38 })
    clock.now = new Date('2027-01-06T15:00:10Z')
    expect(await client.payouts.overdue({})).toMatchObject({ total: 1, data: [{ contact: { id: contactId } }] })
    await till.server.rows("delete from payouts where stripe_payout_id in ('po_october', 'po_november')")
    expect(await client.payouts.overdue({})).toMatchObject({ total: 1, afterDays: 18 })
    await payOut('posted')
  })

  it('are read a page at a time, and go on after the last page that was kept (issue 29)', { timeout: 60_000 }, async () => {
    await pay(5_000)
    stripe.setDeliveries({ lostShare: 1 })
    for (let count = 1; count < 120; count++) stripe.charge({ amount: 1_000 + count })
    const made = stripe.payOut()!
    // As if the process had died after the first page.
    const kept = stripe.list('balance_transaction').filter((one) => one._payout === made.id && one.type === 'charge')
    await till.server.rows(
      `insert into payouts (stripe_payout_id, status, amount_cents, currency, is_automatic, arrives_on, created_at, read_up_to)
       values ($1, 'paid', $2, 'cad', true, '2026-11-30', now(), $3)`,
      [made.id, made.amount, kept[99]!.id],
    )
    await runWatch()
    const payout = (await payoutWith(made.id))!
    const client = await clerk()
    const read = await client.payouts.transactions({ id: payout.id })
    expect(read.data.map(({ id }) => id).toSorted()).toEqual(
      kept
        .slice(100)
        .map(({ id }) => id as string)
        .toSorted(),
    )
    expect(payout.differences[0]).toMatchObject({ kind: 'sum', expectedCents: made.amount })
    await till.server.rows('update payouts set read_up_to = null, is_read = false where id = $1', [payout.id])
    const { differences } = await client.payouts.check({ id: payout.id })
    expect(differences.filter(({ kind }) => kind === 'sum')).toEqual([])
    const first = await client.payouts.transactions({ id: payout.id })
    const second = await client.payouts.transactions({ id: payout.id, cursor: first.nextCursor! })
    expect([first.data.length, second.data.length, second.nextCursor]).toEqual([100, 20, null])
  })

  it('are exported with their sums and differences (issue 29)', async () => {
    const cookie = await till.server.signIn('billing')
    const response = await till.server.request('/api/payouts.csv?state=differences', { headers: { cookie } })
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text.split('\r\n')[0]).toContain('Arrives on,Payout,State,Payments,Refunds,Disputes,Other,Fees,Paid out,Differences')
    expect(text).toContain('Payment without a fee')
  })

  it('answers 404 for payouts that do not exist (issue 29)', async () => {
    const client = await clerk()
    const id = randomUUID()
    for (const call of ['get', 'transactions', 'check', 'post'] as const)
      expect(await refusal(client.payouts[call]({ id }))).toMatchObject({ status: 404 })
    expect(await refusal(client.payouts.accept({ id, reason: 'Any', reconciledAt: '2026-11-01T00:00:00Z' }))).toMatchObject({ status: 404 })
  })
})
