import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { centsToText } from '../../shared/money.ts'
import type { Db } from '../../kernel/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { debtorOf, payCharge } from '../collections/service.ts'
import { addImpliedConsent } from '../../crm/consent/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { interactions } from '../../crm/interactions/table.ts'
import { contactOfCustomer } from './contact-link.ts'
import { salesReceipts } from './table.ts'

type Row = typeof salesReceipts.$inferSelect

/** Puts a complete receipt on its patient's timeline, once. False: its customer has no email, so there is no patient to find or make. */
export async function putOnTimeline(tx: Db, scope: Scope, row: Row): Promise<boolean> {
  const contactId = await contactOfCustomer(tx, scope, row.customerId)
  if (!contactId) return false
  await writeEntry(tx, scope, row, contactId)
  return true
}

/** The entry of a receipt on this patient's timeline, which now pays what it was taken for; the one that there is, if it is there already. */
export async function writeEntry(tx: Db, scope: Scope, row: Row, contactId: string): Promise<string> {
  const [free] = await tx
    .update(salesReceipts)
    .set({ loggedAt: scope.now() })
    .where(and(eq(salesReceipts.id, row.id), isNull(salesReceipts.loggedAt)))
    .returning({ id: salesReceipts.id })
  if (!free) {
    const [entry] = await tx.select({ id: interactions.id }).from(interactions).where(isOf(row)).limit(1)
    if (entry) return entry.id
  }
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
  if (row.chargeId) await payCharge(tx, scope, { chargeId: row.chargeId, contactId, receiptId: row.id, createdBy: row.createdBy })
  if (free && row.kind === 'sale') {
    const [givenAt, givenBy] = [row.completedAt ?? scope.now(), row.createdBy]
    await addImpliedConsent(tx, scope, { contactId, basis: 'purchase', source: 'sale', givenAt, givenBy })
  }
  await tx.update(contacts).set({ lastContactDate: scope.now() }).where(eq(contacts.id, contactId))
  await publish(tx, 'contact', contactId)
  return entry!.id
}

/** Spec 9's types have none of its own for a refund. */
const typeOf = ({ kind }: Row) => (kind === 'refund' ? ('quickbooks' as const) : ('sales_receipt' as const))

const isOf = (row: Row) => and(eq(interactions.type, typeOf(row)), eq(interactions.qbSalesReceiptId, row.qbId ?? ''))

/** The items that an entry of the timeline names; how many more there were is counted. */
const namedItems = 2

/** What the browser is told of the receipt with its entry: enough for two lines. */
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

/** What the timeline keeps of the receipt (spec 3); amounts in cents. */
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

/** Finds or makes the patient of a complete receipt, and puts it on their timeline. It fails, and so is tried again, while there is no patient. */
export const logReceipt = defineJob({
  name: 'pos.log-receipt',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  run: (scope, { id }) =>
    scope.db.transaction(async (tx) => {
      const isIt = eq(salesReceipts.id, id)
      const [found] = await tx.select({ chargeId: salesReceipts.chargeId }).from(salesReceipts).where(isIt)
      // Before the receipt, as anyone who applies one to a charge locks them.
      if (found?.chargeId) await debtorOf(tx, found.chargeId)
      const [row] = await tx.select().from(salesReceipts).where(isIt).for('update')
      if (row?.state !== 'complete' || row.loggedAt) return
      if (!(await putOnTimeline(tx, scope, row))) throw new Error('The customer of a receipt is no patient yet')
      await publish(tx, 'receipt', id)
    }),
})
