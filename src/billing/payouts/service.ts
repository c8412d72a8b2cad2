import { and, asc, desc, eq, exists, getTableColumns, gte, inArray, lt, not, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { cardDisputes, cardPayments, cardRefunds } from '../cards/table.ts'
import { salesReceipts } from '../payments/table.ts'
import type { TransactionPlace, PayoutFilters } from './contract.ts'
import { preparePosting, repeatPosting, settleDeposit } from './post.ts'
import { refreshPayout } from './read.ts'
import { isDepositable, transactionKindOf, overdueAfterDays, type PayoutState } from './rules.ts'
import { payoutDeposits, payoutTransactions, payouts } from './table.ts'

export { followPayoutEvent } from './read.ts'

const hasDifferences = sql`${payouts.differences} <> '[]'::jsonb`

/** The state of a payout (rules.ts). */
const state = sql<PayoutState>`case
  when ${payouts.status} in ('failed', 'canceled') then 'returned'
  when ${payoutDeposits.state} = 'complete' and ${payoutDeposits.qbTotalCents} <> ${payoutDeposits.totalCents} then 'unequal'
  when ${payoutDeposits.state} = 'complete' then 'posted'
  when ${payouts.reconciledAt} is null then 'reading'
  when ${hasDifferences} and ${payouts.acceptedAt} is null then 'differences'
  when ${payouts.acceptedAt} is not null and ${payouts.amountCents} <= 0 then 'accepted'
  when ${payouts.amountCents} = 0 then 'empty'
  when ${payouts.status} in ('pending', 'in_transit') then 'in-transit'
  else 'matched' end`

const columns = {
  ...getTableColumns(payouts),
  state,
  exact: exactInstant(payouts.createdAt),
  deposit: {
    state: payoutDeposits.state,
    qbId: payoutDeposits.qbId,
    qbTotalCents: payoutDeposits.qbTotalCents,
    isUncertain: payoutDeposits.isUncertain,
    problem: payoutDeposits.problem,
    attempts: payoutDeposits.attempts,
    nextAttemptAt: payoutDeposits.nextAttemptAt,
    completedAt: payoutDeposits.completedAt,
  },
}
const rows = (db: Db) => db.select(columns).from(payouts).leftJoin(payoutDeposits, eq(payoutDeposits.id, payouts.id)).$dynamic()
const matching = ({ state: wanted }: PayoutFilters): SQL | undefined => (wanted ? eq(state, wanted) : undefined)

export type PayoutPage = PayoutFilters & { cursor?: InstantPlace | undefined; limit: number }

/** A page of payouts, newest first. */
export async function readPayouts(db: Db, { cursor, limit, ...filters }: PayoutPage) {
  const found = await rows(db)
    .where(and(matching(filters), isOlderThan(cursor, payouts.createdAt, payouts.id)))
    .orderBy(desc(payouts.createdAt), desc(payouts.id))
    .limit(limit + 1)
  return cursorPage(found, limit, placeOf)
}

export async function listPayouts({ db }: Scope, page: PayoutPage) {
  const [found, differing] = await Promise.all([
    readPayouts(db, page),
    db
      .select({ count: sql<number>`count(*)::int` })
      .from(payouts)
      .leftJoin(payoutDeposits, eq(payoutDeposits.id, payouts.id))
      .where(and(hasDifferences, eq(state, 'differences'))),
  ])
  return { ...found, differing: differing[0]!.count }
}

/** One payout, with the patients and cards that its differences are about. Null: not found. */
export async function findPayout(scope: Scope, id: string) {
  const { db } = scope
  const [row] = await rows(db).where(eq(payouts.id, id))
  if (!row) return null
  const ids = row.differences.flatMap(({ transactionId }) => transactionId ?? [])
  const found = ids.length > 0 ? await matched(db).where(inArray(payoutTransactions.id, ids)) : []
  const contactIds = [...new Set(found.flatMap(({ contactId }) => contactId ?? []))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'card payment', contactIds })
  const byId = new Map(found.map((one) => [one.id, { contact: contactOf(one), card: cardOf(one) }]))
  const differences = row.differences.map((one) => ({
    ...one,
    ...(byId.get(one.transactionId ?? '') ?? { contact: null, card: null }),
  }))
  return { ...row, differences }
}

/** The receipt of a refund, or of the payment that a transaction is about. The receipt of a sale has the payment's key, and is linked a minute later. */
const receiptId = sql<string | null>`coalesce(${cardRefunds.id}, ${cardPayments.receiptId},
  (select receipt.id from sales_receipts as receipt where receipt.idempotency_key = ${cardPayments.idempotencyKey} and ${cardPayments.purpose} = 'sale'))`

/** The patient and the record of ours that a transaction is about. */
const matched = (db: Db) =>
  db
    .select({
      ...getTableColumns(payoutTransactions),
      exact: exactInstant(payoutTransactions.createdAt),
      contactId: contacts.id,
      firstName: contacts.firstName,
      lastName: contacts.lastName,
      receiptId,
      receiptNumber: salesReceipts.docNumber,
      disputeId: cardDisputes.id,
      cardBrand: cardPayments.cardBrand,
      cardLast4: cardPayments.cardLast4,
    })
    .from(payoutTransactions)
    .leftJoin(cardRefunds, eq(cardRefunds.stripeRefundId, payoutTransactions.sourceId))
    .leftJoin(cardDisputes, eq(cardDisputes.stripeDisputeId, payoutTransactions.sourceId))
    .leftJoin(
      cardPayments,
      sql`${cardPayments.id} = coalesce(${cardRefunds.paymentId}, ${cardDisputes.paymentId}) or ${cardPayments.stripeChargeId} = ${payoutTransactions.sourceId}`,
    )
    .leftJoin(salesReceipts, eq(salesReceipts.id, receiptId))
    .leftJoin(contacts, eq(contacts.id, cardPayments.contactId))
    .$dynamic()

/** A page of a payout's transactions, newest first, with the patients whose money it is. Null: no such payout. */
export async function listTransactions(
  scope: Scope,
  { id, cursor, limit }: { id: string; cursor?: TransactionPlace | undefined; limit: number },
) {
  const { db } = scope
  if ((await db.$count(payouts, eq(payouts.id, id))) === 0) return null
  const isAfter = cursor && sql`(${payoutTransactions.createdAt}, ${payoutTransactions.id}) < (${cursor.at}::timestamptz, ${cursor.id})`
  const found = await matched(db)
    .where(and(eq(payoutTransactions.payoutId, id), isAfter))
    .orderBy(desc(payoutTransactions.createdAt), desc(payoutTransactions.id))
    .limit(limit + 1)
  const contactIds = [...new Set(found.flatMap(({ contactId }) => contactId ?? []))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'card payment', contactIds })
  const { data, nextCursor } = cursorPage(found, limit, ({ exact, id: last }) => ({ at: exact, id: last }))
  return { data: data.map((one) => ({ ...one, kind: transactionKindOf(one.category), contact: contactOf(one) })), nextCursor }
}

type Named = { contactId: string | null; firstName: string | null; lastName: string | null }
const contactOf = ({ contactId, firstName, lastName }: Named) =>
  contactId === null ? null : { id: contactId, firstName: firstName ?? '', lastName: lastName ?? '' }

const cardOf = ({ cardBrand, cardLast4 }: { cardBrand: string | null; cardLast4: string | null }) =>
  cardBrand === null ? null : { brand: cardBrand, last4: cardLast4 ?? '' }

const maxOverdue = 50

/** The longest time between two payouts of the last three months, in whole days; null: there are fewer than two. */
async function maxGapDays({ db, now }: Scope): Promise<number | null> {
  const since = new Date(now().getTime() - 92 * 86_400_000)
  const gaps = db
    .select({ gap: sql`${payouts.createdAt} - lag(${payouts.createdAt}) over (order by ${payouts.createdAt})`.as('gap') })
    .from(payouts)
    .where(gte(payouts.createdAt, since))
    .as('gaps')
  const [row] = await db.select({ days: sql<number | null>`round(extract(epoch from max(${gaps.gap})) / 86400)::int` }).from(gaps)
  return row!.days
}

/** Payments that no payout holds although Stripe should have paid them out, oldest first. */
export async function overduePayments(scope: Scope) {
  const { db, now } = scope
  const afterDays = overdueAfterDays(await maxGapDays(scope))
  const isHeld = exists(
    db
      .select({ id: payoutTransactions.id })
      .from(payoutTransactions)
      .where(and(eq(payoutTransactions.sourceId, cardPayments.stripeChargeId), eq(payoutTransactions.category, 'charge'))),
  )
  const isOverdue = and(
    eq(cardPayments.status, 'paid'),
    lt(cardPayments.paidAt, new Date(now().getTime() - afterDays * 86_400_000)),
    not(isHeld),
  )
  const { id, amountCents, paidAt, contactId } = cardPayments
  const [found, [counted]] = await Promise.all([
    db
      .select({
        id,
        amountCents,
        paidAt: sql<Date>`${paidAt}`.mapWith(paidAt),
        contactId,
        firstName: contacts.firstName,
        lastName: contacts.lastName,
      })
      .from(cardPayments)
      .innerJoin(contacts, eq(contacts.id, contactId))
      .where(isOverdue)
      .orderBy(asc(paidAt), asc(id))
      .limit(maxOverdue),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(cardPayments)
      .where(isOverdue),
  ])
  const contactIds = [...new Set(found.map((one) => one.contactId))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'card payment', contactIds })
  return { data: found.map((one) => ({ ...one, contact: contactOf(one)! })), total: counted!.total, afterDays }
}

/** Asks Stripe again about a payout, and compares it again. Null: not found. */
export async function checkPayout(scope: Scope, id: string) {
  const found = await findPayout(scope, id)
  if (found === null) return null
  const read = await refreshPayout(scope, found.stripePayoutId)
  if (read === null || 'kind' in read) return refuse('CARDS_UNAVAILABLE')
  return (await findPayout(scope, id))!
}

/**
 * Accepts the differences that someone saw, with their reason, and has the payout posted. Null: not found. `CHANGED`: there are other differences by now,
 * or none. Accepting again changes nothing.
 */
export async function acceptPayout(scope: Scope, { id, reason, reconciledAt }: { id: string; reason: string; reconciledAt: Date }) {
  const accepted = await scope.db.transaction(async (tx) => {
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, id)).for('update')
    if (!payout) return null
    if (payout.acceptedAt) return undefined
    if (payout.differences.length === 0 || payout.reconciledAt?.getTime() !== reconciledAt.getTime()) return refuse('CHANGED')
    const set = { acceptedReason: reason, acceptedBy: staff(scope).id, acceptedAt: scope.now() }
    const [row] = await tx.update(payouts).set(set).where(eq(payouts.id, id)).returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'payout',
      contactIds: [],
      after: { id, acceptedReason: reason, differences: payout.differences },
    })
    await preparePosting(tx, scope, row!)
    await publish(tx, 'payout', id)
    return undefined
  })
  return accepted === undefined ? (await findPayout(scope, id))! : accepted
}

/**
 * Records a payout in QuickBooks now. Null: not found. `NOT_READY`: it has open differences, or can't be a deposit, or QuickBooks lacks something, which the message says.
 */
export async function postPayout(scope: Scope, id: string) {
  const problem = await scope.db.transaction(async (tx) => {
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, id)).for('update')
    if (!payout) return null
    const isOpen = payout.differences.length > 0 && !payout.acceptedAt
    if (payout.reconciledAt === null || isOpen || !isDepositable(payout)) return refuse('NOT_READY')
    const [deposit] = await tx.select().from(payoutDeposits).where(eq(payoutDeposits.id, id))
    if (!deposit) await preparePosting(tx, scope, payout)
    else if (deposit.state === 'failed') await repeatPosting(tx, scope, payout)
    const [after] = await tx
      .select({ problem: payouts.postingProblem, state: payoutDeposits.state, refused: payoutDeposits.problem })
      .from(payouts)
      .leftJoin(payoutDeposits, eq(payoutDeposits.id, payouts.id))
      .where(inArray(payouts.id, [id]))
    if (after!.state === null) return refuse('NOT_READY', undefined, after!.problem ?? undefined)
    return after!.state === 'failed' ? refuse('REFUSED', undefined, after!.refused ?? undefined) : undefined
  })
  if (problem !== undefined) return problem
  const { outcome, row } = await settleDeposit(scope, id)
  if (outcome === 'reconnect') return refuse('RECONNECT')
  if (outcome === 'failed') return refuse('REFUSED', undefined, row.problem ?? undefined)
  return outcome === 'complete' ? (await findPayout(scope, id))! : refuse('PENDING')
}
