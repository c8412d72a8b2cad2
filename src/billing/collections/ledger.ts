import { and, asc, desc, eq, gte, inArray, isNotNull, min, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { refundedCents, salesReceipts, stillIssuedCents } from '../payments/table.ts'
import { contactCustomers } from '../quickbooks/table.ts'
import { quotes } from '../quotes/table.ts'
import { surgeries } from '../../care/surgeries/table.ts'
import type { Account } from './account-contract.ts'
import { ageingOf, byUrgency, type Charge, creditOf, isHeld, portionsOf } from './rules.ts'
import { collectionNotes, ledgerEntries } from './table.ts'

type Entry = typeof ledgerEntries.$inferSelect

/**
 * The day of the surgery that each charge must be paid before, by charge ID: the case that its quote prices, otherwise the patient's
 * first surgery after the charge. `condition` selects the entries.
 */
export async function surgeryDaysOf(db: Db, { PRACTICE_TIME_ZONE }: Scope['env'], condition: SQL): Promise<Map<string, string>> {
  const quoted = db
    .select({ startsAt: surgeries.startsAt })
    .from(quotes)
    .innerJoin(surgeries, eq(surgeries.id, quotes.surgeryId))
    .where(eq(quotes.chargeId, ledgerEntries.id))
  const next = db
    .select({ startsAt: min(surgeries.startsAt) })
    .from(surgeries)
    .where(
      and(
        eq(surgeries.contactId, ledgerEntries.contactId),
        notInArray(surgeries.status, ['cancelled', 'postponed']),
        gte(surgeries.startsAt, ledgerEntries.createdAt),
      ),
    )
  const day = sql<string | null>`to_char(coalesce((${quoted}), (${next})) at time zone ${PRACTICE_TIME_ZONE}, 'YYYY-MM-DD')`
  const rows = await db
    .select({ id: ledgerEntries.id, day })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.kind, 'charge'), ledgerEntries.isBeforeSurgery, condition))
  return new Map(rows.flatMap(({ id, day }) => (day === null ? [] : [[id, day] as const])))
}

/** The charges among these entries, each with the amount credited to it. */
export function chargesOf(entries: readonly Entry[], surgeryDays: ReadonlyMap<string, string>): (Charge & { entry: Entry })[] {
  const credited = new Map<string, number>()
  for (const { chargeId, amountCents } of entries) if (chargeId) credited.set(chargeId, (credited.get(chargeId) ?? 0) - amountCents)
  return entries.flatMap((entry) => {
    const { id, kind, amountCents, dueOn, isBeforeSurgery, plan } = entry
    if (kind !== 'charge') return []
    const surgeryDay = surgeryDays.get(id) ?? null
    return [{ id, amountCents, dueOn: dueOn!, isBeforeSurgery, surgeryDay, plan: plan ?? [], creditedCents: credited.get(id) ?? 0, entry }]
  })
}

/** A patient's ledger as this transaction sees it. */
export async function accountOf(tx: Db, { now, env }: Pick<Scope, 'now' | 'env'>, contactId: string): Promise<Account> {
  const [entries, notes, payments, surgeryDays] = await Promise.all([
    tx
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.contactId, contactId))
      .orderBy(asc(ledgerEntries.createdAt), asc(ledgerEntries.id)),
    tx
      .select()
      .from(collectionNotes)
      .where(eq(collectionNotes.contactId, contactId))
      .orderBy(desc(collectionNotes.createdAt), desc(collectionNotes.id)),
    paymentsOf(tx, contactId),
    surgeryDaysOf(tx, env, eq(ledgerEntries.contactId, contactId)),
  ])
  const charges = chargesOf(entries, surgeryDays)
  const portions = charges.flatMap(portionsOf).toSorted(byUrgency)
  const balanceCents = entries.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return {
    balanceCents,
    ageing: ageingOf(portions, dayAt(now(), env.PRACTICE_TIME_ZONE)),
    portions,
    charges: charges
      .map(({ entry, plan, amountCents, creditedCents, dueOn, surgeryDay }) => ({
        ...entry,
        dueOn,
        surgeryDay,
        plan: [...plan],
        openCents: amountCents - creditedCents,
      }))
      .toReversed(),
    entries: entries.toReversed(),
    payments,
    deposits: payments.flatMap(({ creditCents, ...payment }) => (creditCents > 0 ? [{ ...payment, leftCents: creditCents }] : [])),
    notes,
    isHeld: isHeld(notes, balanceCents),
  }
}

/** Complete sales. */
const isPaid = and(eq(salesReceipts.kind, 'sale'), eq(salesReceipts.state, 'complete'))

const wasApplied = sql<boolean>`exists (select 1 from ${ledgerEntries} where ${ledgerEntries.receiptId} = ${salesReceipts.id})`
const appliedCents = sql<number>`coalesce((select -sum(${ledgerEntries.amountCents}) from ${ledgerEntries} where ${ledgerEntries.receiptId} = ${salesReceipts.id}), 0)::float8`

/** Which of these patients have credit: a deposit, or the rest of a payment for a charge, that is neither applied nor refunded (`creditOf`). */
export async function creditAmong(tx: Db, ids: readonly string[]): Promise<Set<string>> {
  const isCredit = or(salesReceipts.isDeposit, isNotNull(salesReceipts.chargeId), wasApplied)
  const rows = await tx
    .selectDistinct({ id: contactCustomers.contactId })
    .from(salesReceipts)
    .innerJoin(contactCustomers, eq(contactCustomers.customerId, salesReceipts.customerId))
    .where(
      and(
        inArray(contactCustomers.contactId, [...ids]),
        isPaid,
        isCredit,
        sql`${salesReceipts.totalCents} - ${refundedCents} - ${appliedCents} - ${stillIssuedCents} > 0`,
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

/** Complete receipts of a patient's customers, newest first, with the applied, remaining and credit amounts of each. */
async function paymentsOf(tx: Db, contactId: string) {
  const rows = await tx
    .select({
      receiptId: salesReceipts.id,
      docNumber: salesReceipts.docNumber,
      paymentMethod: salesReceipts.paymentMethod,
      prepaidCents: salesReceipts.prepaidCents,
      prepaid: salesReceipts.prepaid,
      lines: salesReceipts.lines,
      totalCents: salesReceipts.totalCents,
      completedAt: salesReceipts.completedAt,
      isDeposit: salesReceipts.isDeposit,
      isForCharge: sql<boolean>`(${isNotNull(salesReceipts.chargeId)} or ${wasApplied})`,
      refundedCents,
      appliedCents,
      issuedCents: stillIssuedCents,
    })
    .from(salesReceipts)
    .innerJoin(contactCustomers, eq(contactCustomers.customerId, salesReceipts.customerId))
    .where(and(eq(contactCustomers.contactId, contactId), isPaid))
    .orderBy(desc(salesReceipts.completedAt), desc(salesReceipts.id))
  return rows.map(({ lines, isDeposit, isForCharge, issuedCents, ...payment }) => {
    const leftCents = payment.totalCents - payment.refundedCents - payment.appliedCents - issuedCents
    return { ...payment, items: lines.map(({ name }) => name), leftCents, creditCents: creditOf({ isDeposit, isForCharge, leftCents }) }
  })
}

/** A charge with its entries, locked so that credits to the same charge wait. Null: charge not found. */
export async function lockCharge(tx: Db, id: string): Promise<(Charge & { entry: Entry; others: Entry[] }) | null> {
  const [entry] = await tx
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.id, id), eq(ledgerEntries.kind, 'charge')))
    .for('update')
  if (!entry) return null
  const others = await tx.select().from(ledgerEntries).where(eq(ledgerEntries.chargeId, id))
  // Callers don't need the due dates, so the surgery days aren't read.
  const [charge] = chargesOf([entry, ...others], new Map())
  return { ...charge!, others }
}

/** A complete receipt of this patient, locked, with the amount that is neither applied nor refunded. */
export async function lockReceipt(
  tx: Db,
  contactId: string,
  receiptId: string,
): Promise<{ docNumber: string | null; leftCents: number } | null> {
  const mine = tx.select({ id: contactCustomers.customerId }).from(contactCustomers).where(eq(contactCustomers.contactId, contactId))
  const isReceipt = and(eq(salesReceipts.id, receiptId), isPaid, inArray(salesReceipts.customerId, mine))
  const [locked] = await tx.select({ id: salesReceipts.id }).from(salesReceipts).where(isReceipt).for('no key update')
  if (!locked) return null
  // Read after locking: the lock may have waited for a refund.
  const { docNumber, totalCents } = salesReceipts
  const [receipt] = await tx
    .select({ docNumber, totalCents, refundedCents, issuedCents: stillIssuedCents })
    .from(salesReceipts)
    .where(eq(salesReceipts.id, receiptId))
  const applied = await appliedOf(tx, receiptId)
  const { issuedCents } = receipt!
  return { docNumber: receipt!.docNumber, leftCents: receipt!.totalCents - receipt!.refundedCents - applied - issuedCents }
}

/** The amount of a receipt applied to charges, or to one of them, in cents. */
export async function appliedOf(tx: Db, receiptId: string, chargeId?: string): Promise<number> {
  const [{ applied } = { applied: 0 }] = await tx
    .select({ applied: sql<number>`coalesce(-sum(${ledgerEntries.amountCents}), 0)::float8` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.receiptId, receiptId), chargeId === undefined ? undefined : eq(ledgerEntries.chargeId, chargeId)))
  return applied
}

/** What is open of a charge, in cents. */
export async function openOfCharge(db: Db, chargeId: string): Promise<number> {
  const [row] = await db
    .select({ openCents: sql<number>`coalesce(sum(${ledgerEntries.amountCents}), 0)::float8` })
    .from(ledgerEntries)
    .where(or(eq(ledgerEntries.id, chargeId), eq(ledgerEntries.chargeId, chargeId)))
  return row!.openCents
}

/** The amounts of these receipts that are applied to charges, by receipt, in cents. A receipt of which nothing is applied has no entry. */
export async function appliedByReceipt(db: Db, receiptIds: readonly string[]): Promise<Map<string, number>> {
  const applied = sql<number>`-sum(${ledgerEntries.amountCents})::float8`
  const rows = await db
    .select({ receiptId: ledgerEntries.receiptId, applied })
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.receiptId, [...receiptIds]))
    .groupBy(ledgerEntries.receiptId)
    .having(sql`sum(${ledgerEntries.amountCents}) < 0`)
  return new Map(rows.map((row) => [row.receiptId!, row.applied]))
}
