import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { connectQuickBooks } from '../../demo/billing/quickbooks.ts'
import { stripeSettings } from '../../demo/billing/stripe.ts'
import { randomFrom } from '../../simulators/random.ts'
import { startQuickBooksSimulator } from '../../simulators/quickbooks/server.ts'
import { startStripeSimulator, type StripeSimulator } from '../../simulators/stripe/server.ts'
import { createActiveAccount } from '../../src/platform/auth/service.ts'
import { openDatabase } from '../../src/kernel/postgres/database.ts'
import { quickbooksSettings } from '../../test/billing/point-of-sale.ts'
import { type ChildServer, startChildServer } from '../../test/processes/process.ts'
import { password } from '../../test/server.ts'
import { until } from '../../test/until.ts'

interface Drill {
  payouts: number
  /** Each has a Stripe account of its own, so that the simulator stays small. */
  rounds: number
  kills: number
  databaseUrl: string
  onRound?: (round: number) => void
}

/** What is wrong with a payout on purpose, by the name of the difference; null: nothing. */
const plants = [
  'amount',
  'missing-fee',
  'foreign-charge',
  'foreign-refund',
  'foreign-dispute',
  'state',
  'net',
  'currency',
  'sum',
  'other-transaction',
] as const
type Plant = (typeof plants)[number]

/** What the drill found. */
export interface Figures {
  read: number
  seconds: number
  kills: number
  transactions: number
  transactionsAtStripe: number
  /** By kind. */
  planted: Partial<Record<Plant, number>>
  named: Partial<Record<Plant, number>>
  /** Payouts whose difference was not named as the only one, and those without one that have one. */
  unnamed: string[]
  blamed: string[]
  matched: number
  matchedCents: number
  deposits: number
  depositCents: number
  postedTwice: number
}

/** A record of ours. */
interface Ours {
  charges: { id: string; payment: string; amount: number; status: 'paid' | 'cancelled' }[]
  refunds: { id: string; payment: string; amount: number; status: 'done' | 'failed' }[]
  disputes: { id: string; payment: string; amount: number }[]
}

type Random = () => number
const between = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

/** Makes transactions at Stripe and our records of them, and pays them out. @returns Stripe's id of the payout and what is wrong with it. */
function makePayout(
  stripe: StripeSimulator,
  random: Random,
  ours: Ours,
): { id: string; plant: Plant | null; cents: number; transactions: number } {
  const transactionOf = (source: unknown) => stripe.list('balance_transaction').find((one) => one.source === source)!
  const plant = random() < 0.25 ? plants[between(random, 0, plants.length - 1)]! : null
  const charges = Array.from({ length: between(random, 1, 6) }, (): Ours['charges'][number] => {
    const amount = between(random, 500, 900_000)
    const charge = stripe.charge({ amount })
    return { id: charge.id as string, payment: randomUUID(), amount, status: 'paid' }
  })
  const own: Ours = { charges, refunds: [], disputes: [] }
  const wrong = charges[0]!
  const others = charges.slice(1)
  if (others.length > 1 && (random() < 0.3 || plant === 'foreign-refund')) {
    const { id, payment, amount } = others[0]!
    const refunded = between(random, 1, Math.max(1, Math.floor(amount / 3)))
    own.refunds.push({ id: stripe.refund({ charge: id, amount: refunded }).id as string, payment, amount: refunded, status: 'done' })
  }
  if (others.length > 2 && (random() < 0.1 || plant === 'foreign-dispute')) {
    const { id, payment, amount } = others[1]!
    const disputed = Math.max(1, Math.floor(amount / 4))
    const made = stripe.dispute({ charge: id, amount: disputed })
    own.disputes.push({ id: made.id as string, payment, amount: disputed })
    if (random() < 0.5) stripe.closeDispute(made.id as string, 'won')
  }
  const moved = transactionOf(wrong.id)
  const [id, amount, net] = [moved.id as string, moved.amount as number, moved.net as number]
  let isPlanted = plant !== null
  if (plant === 'amount') stripe.change(id, { amount: amount + 1, net: net + 1 })
  else if (plant === 'missing-fee') stripe.change(id, { fee: 0, net: amount })
  else if (plant === 'foreign-charge') own.charges = own.charges.filter((one) => one !== wrong)
  else if (plant === 'foreign-refund') isPlanted = own.refunds.splice(0).length > 0
  else if (plant === 'foreign-dispute') isPlanted = own.disputes.splice(0).length > 0
  else if (plant === 'state') wrong.status = 'cancelled'
  else if (plant === 'net') stripe.change(id, { net: net - 1 })
  else if (plant === 'currency') stripe.change(id, { currency: 'usd' })
  else if (plant === 'other-transaction') {
    own.charges = own.charges.filter((one) => one !== wrong)
    stripe.change(id, { reporting_category: 'risk_reserved_funds', fee: 0, net: amount })
  }
  const payout = stripe.payOut()!
  if (plant === 'sum') stripe.change(payout.id as string, { amount: (payout.amount as number) - 1 })
  ours.charges.push(...own.charges)
  ours.refunds.push(...own.refunds)
  ours.disputes.push(...own.disputes)
  return {
    id: payout.id as string,
    plant: isPlanted ? plant : null,
    cents: payout.amount as number,
    transactions: stripe.list('balance_transaction').filter((one) => one._payout === payout.id).length - 1,
  }
}

/** Keeps our records, as payments, refunds and disputes leave them. */
async function keep(owner: pg.Client, contactId: string, { charges, refunds, disputes }: Ours): Promise<void> {
  const json = (rows: object) => JSON.stringify(rows)
  await owner.query(
    `insert into card_payments (id, contact_id, purpose, reference_id, description, amount_cents, status, stripe_charge_id, idempotency_key, payload_hash,
       created_at, updated_at, paid_at, booked_at)
     select payment, $1, 'balance', gen_random_uuid(), 'Payment', amount, status, id, gen_random_uuid(), 'hash',
       now(), now(), case when status = 'paid' then now() end, now()
     from json_to_recordset($2) as one (id text, payment uuid, amount bigint, status text)`,
    [contactId, json(charges)],
  )
  // Refunds and disputes of payments that are not ours on purpose.
  await owner.query(
    `with refund as (select *, gen_random_uuid() as receipt from json_to_recordset($1) as one (id text, payment uuid, amount bigint, status text)
         where exists (select 1 from card_payments where card_payments.id = payment)),
       receipts as (insert into sales_receipts (id, state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes,
           subtotal_cents, discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, is_uncertain, created_at)
         select receipt, 'complete', gen_random_uuid(), 'hash', receipt::text, '1', '1', 'A customer', '[]', '[]', amount, 0, 0, 0, amount, '7', 'Stripe clearing', false, now() from refund)
     insert into card_refunds (id, payment_id, amount_cents, status, stripe_refund_id, created_at, updated_at)
     select receipt, payment, amount, status, id, now(), now() from refund`,
    [json(refunds)],
  )
  await owner.query(
    `insert into card_disputes (stripe_dispute_id, payment_id, amount_cents, reason, status, created_at, updated_at)
     select id, payment, amount, 'fraudulent', 'under_review', now(), now() from json_to_recordset($1) as one (id text, payment uuid, amount bigint)
     where exists (select 1 from card_payments where card_payments.id = payment)`,
    [json(disputes)],
  )
}

/** Reconciles random payouts, and kills the server at even distances. */
export async function drill({ payouts, rounds, kills, databaseUrl, onRound }: Drill): Promise<Figures> {
  const quickBooks = await startQuickBooksSimulator({ clientId: 'refyne-test', clientSecret: 'refyne-test-secret', maxConcurrent: 100 })
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  const random = randomFrom(29)
  const db = openDatabase(databaseUrl, 2, () => {})
  const email = 'admin@clinic.example'
  await createActiveAccount(db, { firstName: 'A', lastName: 'B', email, password, role: 'admin' })
  await db.$client.end()
  const [contact] = (
    await owner.query<{ id: string }>(
      `insert into contacts (first_name, last_name, email, funnel_stage) select 'Ana', 'Drill', 'drill@fastmail.example', id from funnel_stages where value = 'lead' returning id`,
    )
  ).rows
  let stripe = await startStripeSimulator()
  const port = Number(new URL(stripe.url).port)
  const settings = {
    LOG_LEVEL: 'silent',
    COMPANY_DOMAINS: 'clinic.example',
    WORKER_CONCURRENCY: '8',
    // What a killed process was doing is taken over after twice this time.
    QUICKBOOKS_TIMEOUT_SECONDS: '2',
    ...stripeSettings(stripe.url),
    ...quickbooksSettings(quickBooks.url),
  }
  const start = () => startChildServer(databaseUrl, settings)
  let server: ChildServer = await start()
  await connectQuickBooks(server.url, { email, password })

  const made: (ReturnType<typeof makePayout> & { round: number })[] = []
  const count = async (condition: string) =>
    (
      await owner.query<{ count: number }>(
        `select count(*)::int as count from payouts left join payout_deposits using (id) where ${condition}`,
      )
    ).rows[0]!.count
  const isSettled = `reconciled_at is not null and (differences <> '[]' or amount_cents <= 0 or state = 'complete')`
  let [seconds, killed] = [0, 0]
  try {
    for (let round = 1; round <= rounds; round++) {
      const before = made.length
      const size = Math.round((payouts * round) / rounds) - before
      const ours: Ours = { charges: [], refunds: [], disputes: [] }
      for (let one = 0; one < size; one++) made.push({ ...makePayout(stripe, random, ours), round })
      await keep(owner, contact!.id, ours)
      const begun = performance.now()
      // Two thirds of the events are lost: the job finds those payouts.
      stripe.setWebhook(`${server.url}/api/hooks/stripe`)
      for (const event of stripe.events.filter(({ type }) => type === 'payout.paid' && random() < 1 / 3)) await stripe.post(event)
      await owner.query("select graphile_worker.add_job('payouts.watch-payouts')")
      while (killed < Math.floor((kills * round) / rounds)) {
        const share = before + Math.round((size * (killed + 1 - Math.floor((kills * (round - 1)) / rounds))) / (kills / rounds + 1))
        await until(async () => (await count(isSettled)) >= Math.min(share, made.length), 300_000)
        await server.kill('SIGKILL')
        server = await start()
        killed++
      }
      await until(async () => (await count(isSettled)) >= made.length, 600_000)
      seconds += (performance.now() - begun) / 1_000
      onRound?.(round)
      if (round === rounds) break
      await stripe.stop()
      stripe = await startStripeSimulator({ port })
    }
    return { seconds: Math.round(seconds), kills: killed, ...(await compare(owner, made, quickBooks.deposits())) }
  } finally {
    await server.kill('SIGKILL')
    await owner.end()
    await stripe.stop()
    await quickBooks.stop()
  }
}

/** Compares what was found with what was planted, and QuickBooks with the payouts. */
async function compare(
  owner: pg.Client,
  made: readonly ReturnType<typeof makePayout>[],
  deposits: readonly Record<string, unknown>[],
): Promise<Omit<Figures, 'seconds' | 'kills'>> {
  const { rows } = await owner.query<{ id: string; amount: string; kinds: string[] }>(
    `select stripe_payout_id as id, amount_cents as amount, array(select jsonb_array_elements(differences)->>'kind') as kinds from payouts`,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const counted = (list: readonly Plant[]) => Object.fromEntries(plants.map((kind) => [kind, list.filter((one) => one === kind).length]))
  const kindsOf = (id: string) => found.get(id)?.kinds ?? []
  const planted = made.flatMap(({ plant }) => plant ?? [])
  // A payout that is negative as a whole says so, too, and a dispute that was won has two transactions.
  const others = (id: string) => [...new Set(kindsOf(id))].filter((kind) => kind !== 'negative-payout')
  const named = made.flatMap(({ id, plant }) => (plant && others(id).length === 1 && others(id)[0] === plant ? plant : []))
  const matched = made.filter(({ id }) => kindsOf(id).length === 0)
  const isMatched = new Set(matched.map(({ id }) => id))
  const noteOf = (one: Record<string, unknown>) => String(one.PrivateNote).replace('Stripe payout ', '')
  const [{ transactions } = { transactions: 0 }] = (
    await owner.query<{ transactions: number }>('select count(*)::int as transactions from payout_lines')
  ).rows
  return {
    read: rows.length,
    transactions,
    transactionsAtStripe: made.reduce((sum, one) => sum + one.transactions, 0),
    planted: counted(planted),
    named: counted(named),
    unnamed: made
      .filter(({ id, plant }) => plant && !(others(id).length === 1 && others(id)[0] === plant))
      .map(({ id, plant }) => `${id} ${plant}: ${others(id).join(', ')}`),
    blamed: made.filter(({ id, plant }) => !plant && others(id).length > 0).map(({ id }) => `${id}: ${others(id).join(', ')}`),
    matched: matched.length,
    matchedCents: matched.reduce((sum, { cents }) => sum + cents, 0),
    deposits: deposits.length,
    depositCents: deposits
      .filter((one) => isMatched.has(noteOf(one)))
      .reduce((sum, one) => sum + Math.round(Number(one.TotalAmt) * 100), 0),
    postedTwice: deposits.length - new Set(deposits.map(noteOf)).size,
  }
}
