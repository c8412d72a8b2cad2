import { and, eq } from 'drizzle-orm'
import { centsToText } from '../../shared/money.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { interactions } from '../../crm/interactions/table.ts'
import type { salesReceipts } from '../payments/table.ts'

type Row = typeof salesReceipts.$inferSelect

/** A receipt's timeline entry, on any patient. */
export async function entryOf(tx: Db, row: Row): Promise<{ id: string } | null> {
  const [entry] = await tx.select({ id: interactions.id }).from(interactions).where(isOf(row)).limit(1)
  return entry ?? null
}

/** Adds a receipt to a patient's timeline. */
export async function addEntry(tx: Db, scope: Scope, row: Row, contactId: string): Promise<{ id: string }> {
  const number = row.docNumber ?? row.qbId
  const [entry] = await tx
    .insert(interactions)
    .values({
      contactId,
      type: typeOf(row),
      description: `${row.kind === 'refund' ? 'Refund receipt' : 'Sales receipt'} ${number}, $${centsToText(Math.abs(row.totalCents))}`,
      date: scope.now(),
      createdBy: row.createdBy,
      qbSalesReceiptId: row.qbId,
      salesReceiptData: dataOf(row),
      paymentMethod: row.paymentMethod,
      depositAccount: row.depositAccountName,
      metadata: shownOf(row),
    })
    .returning({ id: interactions.id })
  return entry!
}

/** Spec 9 has no entry type for refunds. */
const typeOf = ({ kind }: Row) => (kind === 'refund' ? ('quickbooks' as const) : ('sales_receipt' as const))

const isOf = (row: Row) => and(eq(interactions.type, typeOf(row)), eq(interactions.qbSalesReceiptId, row.qbId ?? ''))

/** Maximum items named in a timeline entry; the rest is a count. */
const namedItems = 2

/** Receipt details sent with a timeline entry: enough for two lines. */
const shownOf = (row: Row) => ({
  receiptId: row.id,
  kind: row.kind,
  refundReason: row.refundReason,
  number: row.docNumber ?? row.qbId,
  items: row.lines.slice(0, namedItems).map(({ name }) => name),
  moreItems: Math.max(0, row.lines.length - namedItems),
  totalCents: row.totalCents,
  paymentMethod: row.paymentMethod,
  depositAccount: row.depositAccountName,
})

/** Receipt data stored in the timeline entry (spec 3); amounts in cents. */
const dataOf = ({
  lines,
  taxes,
  subtotalCents,
  discountPercent,
  discountCents,
  taxCents,
  totalCents,
  memo,
  className,
  customerName,
}: Row) => ({
  customerName,
  className,
  memo,
  lines,
  taxes: taxes.map(({ rateId: _, ...tax }) => tax),
  subtotalCents,
  discountPercent,
  discountCents,
  taxCents,
  totalCents,
})
