import type pg from 'pg'
import { centsOfAmount, centsToText } from '../../src/shared/money.ts'

/** The three databases, of which nothing else is known. */
export interface Books {
  /** Ours, connected. */
  owner: pg.Client
  stripeUrl: string
  quickBooksUrl: string
}

export interface Line {
  what: string
  isHeld: boolean
  figures: string
  /** What does not hold, one by one. */
  differences: string[]
}

interface StripeObject {
  id: string
  amount: number
  status: string
  charge: string
  metadata: { reference?: string }
}

interface Sale {
  Id: string
  TotalAmt: number
  CustomerRef: { value: string }
}

/** Money of a patient, in cents. */
interface Sums {
  in: number
  out: number
}

const read = async <Found>(url: string): Promise<Found> => (await fetch(url)).json() as Promise<Found>
const money = (cents: number) => `$${centsToText(cents)}`
const sumOf = (all: readonly { amount: number }[]) => all.reduce((sum, { amount }) => sum + amount, 0)

/**
 * Compares what PostgreSQL, Stripe and QuickBooks say about bookings with deposits. Expects that nothing else was sold, and that each cancelled
 * visit was cancelled in time.
 */
export async function reconcile({ owner, stripeUrl, quickBooksUrl }: Books): Promise<Line[]> {
  const rows = async <Row extends pg.QueryResultRow>(text: string) => (await owner.query<Row>(text)).rows
  const lines: Line[] = []
  const add = (what: string, figures: string, differences: string[]) =>
    lines.push({ what, isHeld: differences.length === 0, figures, differences })

  const [charges, refunds, intents, receipts, refundReceipts] = await Promise.all([
    read<StripeObject[]>(`${stripeUrl}/_objects/charge`).then((all) => all.filter(({ status }) => status === 'succeeded')),
    read<StripeObject[]>(`${stripeUrl}/_objects/refund`).then((all) => all.filter(({ status }) => status === 'succeeded')),
    read<StripeObject[]>(`${stripeUrl}/_objects/payment_intent`),
    read<Sale[]>(`${quickBooksUrl}/_books/receipts`),
    read<Sale[]>(`${quickBooksUrl}/_books/refunds`),
  ])
  const payments = new Map(
    (
      await rows<{ id: string; booking: string; contact_id: string }>('select id, reference_id as booking, contact_id from card_payments')
    ).map((one) => [one.id, one]),
  )
  const paymentOf = ({ metadata }: StripeObject) => payments.get(metadata.reference ?? '')
  const chargesOf = Map.groupBy(charges, (charge) => paymentOf(charge)?.booking ?? `unknown (charge ${charge.id})`)
  const refundsOf = Map.groupBy(refunds, ({ charge }) => charge)
  const refundedOf = (charge: StripeObject) => sumOf(refundsOf.get(charge.id) ?? [])

  const overlaps = await rows<{ a: string; b: string }>(
    `select a.id as a, b.id as b from appointments as a join appointments as b on a.id < b.id and a.provider_id = b.provider_id
       and a.starts_at < b.ends_at and b.starts_at < a.ends_at where a.status <> 'cancelled' and b.status <> 'cancelled'`,
  )
  const visits = await rows<{ booking: string; cents: number; status: string | null }>(
    `select terms.id as booking, terms.deposit_cents::int as cents, visit.status from visit_terms as terms
     left join appointments as visit on visit.id = terms.appointment_id`,
  )
  const booked = visits.filter(({ status }) => status !== null && status !== 'cancelled')
  add(
    'no time is booked twice',
    `${booked.length} visits`,
    overlaps.map(({ a, b }) => `visits ${a} and ${b} overlap`),
  )

  add(
    'no booking was charged twice',
    `${charges.length} charges for ${chargesOf.size} bookings`,
    [...chargesOf]
      .filter(([, made]) => made.length > 1)
      .map(([booking, made]) => `booking ${booking} has ${made.length} charges: ${made.map(({ amount }) => money(amount)).join(', ')}`),
  )

  const isBooked = new Set(booked.map(({ booking }) => booking))
  const outcomes = [...chargesOf].map(([booking, made]) => {
    const [paid, back] = [sumOf(made), made.reduce((sum, one) => sum + refundedOf(one), 0)]
    return { booking, paid, back, due: isBooked.has(booking) ? 0 : paid }
  })
  add(
    'each payment has a visit, or went back in full',
    `${outcomes.filter(({ due }) => due === 0).length} have a visit, ${outcomes.filter(({ due }) => due > 0).length} went back`,
    outcomes
      .filter(({ back, due }) => back !== due)
      .map(
        ({ booking, paid, back, due }) =>
          `booking ${booking}: ${money(back)} of ${money(paid)} went back, ${due === 0 ? 'though it has a visit' : 'and it has no visit'}`,
      ),
  )
  const unpaid = await rows<{ id: string }>(
    `select id from appointments where status <> 'cancelled' and id not in (select appointment_id from visit_terms where appointment_id is not null)`,
  )
  add('each visit was paid as agreed', `${booked.length} visits, ${money(booked.reduce((sum, { cents }) => sum + cents, 0))}`, [
    ...unpaid.map(({ id }) => `visit ${id} has no terms`),
    ...booked
      .map(({ booking, cents }) => ({ booking, cents, paid: sumOf(chargesOf.get(booking) ?? []) }))
      .filter(({ cents, paid }) => cents !== paid)
      .map(({ booking, cents, paid }) => `booking ${booking}: ${money(paid)} was paid, ${money(cents)} agreed`),
  ])

  const patients = new Map(
    (await rows<{ id: string; name: string }>(`select id, first_name || ' ' || last_name as name from contacts`)).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const patientOf = new Map(
    (await rows<{ id: string; patient: string }>('select customer_id as id, contact_id as patient from contact_customers')).map(
      ({ id, patient }) => [id, patient],
    ),
  )
  const sums = (entries: readonly { patient: string | undefined; in?: number; out?: number }[]) => {
    const found = new Map<string, Sums>()
    for (const { patient = 'unknown', in: more = 0, out = 0 } of entries) {
      const before = found.get(patient) ?? { in: 0, out: 0 }
      found.set(patient, { in: before.in + more, out: before.out + out })
    }
    return found
  }
  const ledger = sums(
    (
      await rows<{ customer: string; cents: number }>(
        `select customer_id as customer, total_cents::int as cents from sales_receipts where state = 'complete'`,
      )
    ).map(({ customer, cents }) => ({ patient: patientOf.get(customer), in: Math.max(0, cents), out: Math.max(0, -cents) })),
  )
  const cards = sums([
    ...charges.map((charge) => ({ patient: paymentOf(charge)?.contact_id, in: charge.amount })),
    ...charges.map((charge) => ({ patient: paymentOf(charge)?.contact_id, out: refundedOf(charge) })),
  ])
  const totalOf = ({ TotalAmt }: Sale) => centsOfAmount(TotalAmt) ?? Number.NaN
  const quickBooks = sums([
    ...receipts.map((one) => ({ patient: patientOf.get(one.CustomerRef.value), in: totalOf(one) })),
    ...refundReceipts.map((one) => ({ patient: patientOf.get(one.CustomerRef.value), out: totalOf(one) })),
  ])
  const named = { ledger, Stripe: cards, QuickBooks: quickBooks }
  const written = (one: Sums = { in: 0, out: 0 }) => `${money(one.in)} − ${money(one.out)}`
  const compare = (who: string, of: (found: Map<string, Sums>) => Sums | undefined) => {
    const all = Object.entries(named).map(([name, found]) => `${name} ${written(of(found))}`)
    return new Set(Object.values(named).map((found) => written(of(found)))).size === 1 ? [] : [`${who}: ${all.join(', ')}`]
  }
  const total = (found: Map<string, Sums>): Sums => ({
    in: found.values().reduce((sum, one) => sum + one.in, 0),
    out: found.values().reduce((sum, one) => sum + one.out, 0),
  })
  const ids = new Set(Object.values(named).flatMap((found) => [...found.keys()]))
  add(
    'ledger, Stripe and QuickBooks agree to the cent, for each patient and in total',
    `${ids.size} patients; ${Object.entries(named)
      .map(([name, found]) => `${name} ${written(total(found))}`)
      .join(', ')}`,
    [
      ...compare('in total', total),
      ...[...ids].flatMap((id) => compare(`${patients.get(id) ?? 'no patient'} (${id})`, (found) => found.get(id))),
    ],
  )

  // A job that was queued again while it ran loses its key and its further attempts: the later one does its work.
  const open = await rows<{ what: string; count: number }>(
    `select * from (
       select 'card payments ' || status as what, count(*)::int as count from card_payments where status in ('started', 'open', 'processing') group by status
       union all select 'paid and not in the books', count(*)::int from card_payments where status = 'paid' and booked_at is null
       union all select 'card refunds ' || status, count(*)::int from card_refunds where status <> 'done' group by status
       union all select 'receipts ' || state, count(*)::int from sales_receipts where state <> 'complete' group by state
       union all select 'uncertain receipts', count(*)::int from sales_receipts where is_uncertain
       union all select 'bookings ' || status, count(*)::int from booking_holds where status in ('open', 'held') group by status
       union all select 'held times', count(*)::int from time_holds where booking_hold_id is not null
       union all select concat('jobs ', task_identifier, ' after ', max(attempts), ' attempts ', max(last_error)), count(*)::int from graphile_worker.jobs
         where task_identifier ~ '^(self-booking|cards|visit-fees|pos)\\.'
           and (key is not null or attempts < max_attempts) and (run_at <= now() or attempts > 0) group by task_identifier
     ) as counts where count > 0 order by what`,
  )
  const isOver = (status: string) => status === 'succeeded' || status === 'canceled'
  const openIntents = intents.filter(({ status }) => !isOver(status)).length
  add('nothing is pending or uncertain', `${payments.size} payments, ${intents.length} at Stripe`, [
    ...open.map(({ what, count }) => `${what}: ${count}`),
    ...(openIntents > 0 ? [`payments open at Stripe: ${openIntents}`] : []),
  ])
  return lines
}
