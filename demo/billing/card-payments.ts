import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { StripeSimulator } from '../../simulators/stripe/server.ts'
import { day } from '../clock.ts'

type Receipt = { id: string; contact_id: string; total_cents: number; created_at: Date }

/** Weeks of card payments before today, each with one payout. */
const weeks = 7
const maxPayments = 28
/** So many weeks ago the payout has differences. */
const oddWeek = 3
const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000)

/**
 * Lets receipts of the last weeks that were paid by credit card have come from Stripe, which paid them out each week, once with differences, and has two of them
 * disputed. Does nothing if there are card payments already.
 */
export async function payOutCards(databaseUrl: string, stripe: StripeSimulator, hookUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: receipts } = await client.query<Receipt>(
      `select receipt.id, contact_id, total_cents::int, receipt.created_at
       from sales_receipts as receipt join contact_customers using (customer_id)
       where state = 'complete' and kind = 'sale' and payment_method in ('Visa', 'Mastercard') and total_cents between 50 and 99999999
         and receipt.created_at between now() - make_interval(days => $1) and now() - interval '2 days' and not exists (select 1 from card_payments)
       order by receipt.created_at desc limit $2`,
      [weeks * 7, maxPayments],
    )
    if (receipts.length === 0) return
    // Payouts are dated back before the server learns of them.
    stripe.setWebhook(undefined)
    const now = Date.now()
    const charges: string[] = []
    for (let week = weeks; week > 0; week--) {
      const end = now - (week - 1) * 7 * day
      for (const receipt of receipts.filter(({ created_at: at }) => at.getTime() <= end && at.getTime() > end - 7 * day)) {
        charges.push(await charge(client, stripe, receipt))
      }
      if (week === oddWeek) makeOdd(stripe, new Date(end - 3 * day))
      const payout = stripe.payOut()
      if (!payout) continue
      const created = Math.floor((end - 2 * day) / 1_000)
      stripe.change(payout.id as string, { created, arrival_date: created + (2 * day) / 1_000 })
    }
    stripe.setWebhook(hookUrl)
    for (const [reason, dueInDays] of [
      ['product_not_received', 9],
      ['fraudulent', 4],
    ] as const) {
      const disputed = charges.pop()
      if (disputed) stripe.dispute({ charge: disputed, reason, dueInDays })
    }
    await client.query("select graphile_worker.add_job('payouts.watch-payouts')")
  } finally {
    await client.end()
  }
}

/** @returns Stripe's id of the charge. */
async function charge(
  client: pg.Client,
  stripe: StripeSimulator,
  { id, contact_id: contactId, total_cents: amount, created_at: at }: Receipt,
): Promise<string> {
  const { id: chargeId, payment_intent: intentId } = stripe.charge({ amount }) as { id: string; payment_intent: string }
  const moved = stripe.list('balance_transaction').find(({ source }) => source === chargeId)!
  stripe.change(moved.id as string, { created: seconds(at) })
  await client.query(
    `insert into card_payments (contact_id, purpose, reference_id, description, amount_cents, status, stripe_payment_id, stripe_charge_id, card_brand,
       card_last4, address, device, receipt_id, idempotency_key, payload_hash, created_at, updated_at, paid_at, booked_at)
     values ($1::uuid, 'balance', $1::uuid, 'Payment towards the account', $2, 'paid', $3, $4, 'visa', '4242', '142.114.20.8',
       'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Safari/605.1.15', $5, $6, 'demo', $7, $7, $7, $7)`,
    [contactId, amount, intentId, chargeId, id, randomUUID(), at],
  )
  return chargeId
}

/** A payment from Stripe's dashboard, and a cent. */
function makeOdd(stripe: StripeSimulator, at: Date): void {
  const [moved] = stripe.list('balance_transaction')
  if (moved) stripe.change(moved.id as string, { amount: (moved.amount as number) + 1, net: (moved.net as number) + 1 })
  const { id } = stripe.charge({ amount: 7_500 })
  const foreign = stripe.list('balance_transaction').find(({ source }) => source === id)!
  for (const one of [id, foreign.id]) stripe.change(one as string, { created: seconds(at) })
}
