import { and, asc, desc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { isNewerThan } from '../../kernel/postgres/cursors.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { appliedOf, debtorOf } from '../collections/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { contactsByEmail } from '../../crm/contacts/service.ts'
import { isClearing } from '../quickbooks/rules.ts'
import { factsOf, findConnection, listOf, refreshWhenOld, searchObjects, statusOf } from '../quickbooks/service.ts'
import { contactOfCustomer, linkCustomer, linkedContact } from './contact-link.ts'
import { checkTaken, takeUses, usedOfLines } from '../prepaid/service.ts'
import type { PrepaidUse } from '../prepaid/rules.ts'
import type { ReceiptPayload } from './contract.ts'
import { keepOnce, settleMade } from './idempotency.ts'
import { maySettle } from './policy.ts'
import { price, taxCodesOf } from './price.ts'
import { contactIdsOf, receipts } from './receipts/receipt-list.ts'
import { refundsOf } from './receipts/refunds.ts'
import { cancelReceipt, completed, holdCard, type ReceiptRow, settle } from './settle.ts'
import { cardPayments } from '../cards/table.ts'
import { contactCustomers } from '../quickbooks/table.ts'
import { revenueOfReceipts } from '../payments/service.ts'
import { salesReceipts } from '../payments/table.ts'
import { payForPatient } from './payment.ts'

export {
  createCustomer,
  customerOfContact,
  customerOfPatient,
  findOrCreateCustomer,
  searchCustomers,
  updateCustomerEmail,
} from './customers.ts'
export { emailReceipt, receiptAddresses } from './receipts/email-receipt.ts'
export { listReceipts, receiptChoices, totalsOfReceipts } from './receipts/receipt-list.ts'
export { renderReceipt, soldGiftCards } from './receipts/receipt-pdf.ts'
export { countOwnReceipts, findOwnReceipt, listOwnReceipts } from './receipts/own.ts'
export { onRefund, refund } from './receipts/refunds.ts'
export { onChargePaid } from './payment.ts'
export { cancelReserved, endCardPayment, settleKept } from './settle.ts'
export { taxCodesOf } from './price.ts'

/** When the cached lists were last read, and whether QuickBooks could be reached. Stale lists are refreshed in the background. */
async function freshness(scope: Scope) {
  const { state, listsReadAt } = await statusOf(scope)
  if (state === 'connected') await refreshWhenOld(scope)
  return { readAt: listsReadAt, isUnavailable: state !== 'connected' }
}

export async function searchItems(scope: Scope, query: string) {
  const [found, fresh] = await Promise.all([searchObjects(scope.db, 'item', query), freshness(scope)])
  const items = found.map(({ id, name, facts }) => {
    const { description, unitPrice, taxCodeId } = factsOf.item.parse(facts)
    return { qbItemId: id, name, description, unitPrice, taxCodeRef: taxCodeId }
  })
  return { items, ...fresh }
}

export async function depositAccounts(scope: Scope) {
  const [all, fresh] = await Promise.all([listOf(scope.db, 'account'), freshness(scope)])
  const accounts = all.filter(({ name, facts }) => isClearing({ name, ...factsOf.account.parse(facts) }))
  const cardAccount = accounts.find(({ name }) => name === scope.env.CARD_PAYMENT_ACCOUNT)?.id ?? null
  const isOwn = and(eq(salesReceipts.createdBy, staff(scope).id), eq(salesReceipts.kind, 'sale'))
  const [last] = await scope.db
    .select({ id: salesReceipts.depositAccountId })
    .from(salesReceipts)
    .where(and(isOwn, cardAccount === null ? undefined : ne(salesReceipts.depositAccountId, cardAccount)))
    .orderBy(desc(salesReceipts.createdAt))
    .limit(1)
  const lastUsedAccount = accounts.find(({ id }) => id === last?.id)?.id ?? null
  return { accounts: accounts.map(({ id, name }) => ({ Id: id, Name: name })), lastUsedAccount, cardAccount, ...fresh }
}

export async function classes(scope: Scope) {
  const [all, fresh] = await Promise.all([listOf(scope.db, 'class'), freshness(scope)])
  return { classes: all.map(({ id, name }) => ({ Id: id, Name: name })), ...fresh }
}

export async function taxCodes(scope: Scope) {
  const [{ codes, practiceCode }, fresh] = await Promise.all([taxCodesOf(scope.db, scope.env), freshness(scope)])
  const taxCodes = codes.map(({ id, name, percents }) => ({
    Id: id,
    Name: name,
    SalesTaxRateList: percents.map((RateValue) => ({ RateValue })),
  }))
  return { taxCodes, defaultTaxCode: practiceCode?.id ?? null, ...fresh }
}

/**
 * Records a sale once (spec 7). The receipt is stored as pending, with the job that settles it, before QuickBooks is called; a request with
 * the same key gets the same receipt, and a reused key for another sale is refused. The key comes from the payload, otherwise from the
 * `Idempotency-Key` header.
 */
export const createReceipt = (scope: Scope, payload: ReceiptPayload) => recordSale(scope, payload, [])

/**
 * The same for a sale of one line that the server itself has priced, which a package's session, the practice's goodwill or a financing company's fee may pay.
 * @param asked what the key stands for
 * @param isWanted asked in the transaction that stores the receipt; false is `KEY_REUSED`
 */
export async function recordOwnSale(
  scope: Scope,
  payload: ReceiptPayload,
  ownUses: readonly PrepaidUse[],
  asked: object,
  isWanted?: (tx: Db) => Promise<boolean>,
) {
  const made = await recordSale(scope, payload, ownUses, { asked, ...(isWanted && { isWanted }) })
  if (made !== null && isRefusal(made) && made.refusal === 'TOTALS_DIFFER') throw new Error('The server priced its own sale wrongly')
  return made
}

/**
 * Stores a sale whose rest a card reader is to take, so that its gift cards and credit can't be used elsewhere in the meantime. It goes to QuickBooks once the
 * card is charged, by `createReceipt` with the same key or by `settleKept`, and is cancelled if it is not. `KEY_REUSED`: the card payment is over.
 */
export const reserveSale = (scope: Scope, payload: ReceiptPayload & { idempotencyKey: string }) =>
  keepSale(scope, payload, [], {
    problem: 'Waiting for the card at the reader',
    isWanted: (tx) => holdCard(tx, payload.idempotencyKey),
  })

interface Keeping {
  /** What the key stands for; the sale itself if it is missing. */
  asked?: object
  problem?: string
  /** Whether the sale is still to be stored. It runs in the transaction that stores it, which nothing but a lack of balance refuses afterwards. */
  isWanted?: (tx: Db) => Promise<boolean>
}

async function recordSale(scope: Scope, payload: ReceiptPayload, ownUses: readonly PrepaidUse[], keeping: Keeping = {}) {
  return settleMade(scope, await keepSale(scope, payload, ownUses, keeping))
}

async function keepSale(scope: Scope, payload: ReceiptPayload, ownUses: readonly PrepaidUse[], { asked, problem, isWanted }: Keeping) {
  const { idempotencyKey, prepaid: uses, ...sale } = payload
  // Sales without a prepaid part keep the hash that they had before there was one.
  const content = asked ?? { ...sale, ...(uses.length > 0 && { prepaid: uses }) }
  const key = idempotencyKey ?? scope.requestKey ?? null
  return keepOnce(scope, key, content, async (keep) => {
    const connection = await findConnection(scope)
    if (!connection) return refuse('NOT_CONNECTED')
    const result = await price(scope, payload, ownUses)
    if (isRefusal(result)) return result
    return scope.db.transaction(async (tx) => {
      const { chargeId, customerId } = payload
      if (chargeId && !(await isOwedBy(tx, chargeId, customerId)))
        return invalidReference({ chargeId: 'This charge does not belong to this customer' })
      // Stored by another request while this one waited for the charge. To insert it again would wait for its settling, which waits for the charge.
      if (key !== null && (await tx.$count(salesReceipts, eq(salesReceipts.idempotencyKey, key))) > 0) return undefined
      if (isWanted && !(await isWanted(tx))) return refuse('KEY_REUSED')
      const short = await checkTaken(tx, result.prepaid ?? [])
      if (short) return short
      const row = await keep(tx, { ...result, chargeId, realmId: connection.realmId, problem: problem ?? null })
      if (row) await takeUses(tx, scope, row)
      return row
    })
  })
}

/** Whether a sale could be recorded as it is, without recording it: null, or the refusal of `createReceipt`. */
export async function priceSale(scope: Scope, payload: ReceiptPayload) {
  if (!(await findConnection(scope))) return refuse('NOT_CONNECTED')
  const result = await price(scope, payload)
  if (isRefusal(result)) return result
  const { chargeId, customerId } = payload
  if (chargeId && !(await isOwedBy(scope.db, chargeId, customerId)))
    return invalidReference({ chargeId: 'This charge does not belong to this customer' })
  return null
}

/** The patient of a sale's customer, created if needed. The sale was priced, so the customer has an email. */
export async function contactForSale(tx: Db, scope: Scope, customerId: string): Promise<string> {
  const contactId = await contactOfCustomer(tx, scope, customerId)
  if (!contactId) throw new Error('A customer without an email was sold to')
  return contactId
}

/** Whether the customer is, or may turn out to be, the patient who owes this charge. */
async function isOwedBy(tx: Db, chargeId: string, customerId: string): Promise<boolean> {
  const [debtor, patient] = [await debtorOf(tx, chargeId), await linkedContact(tx, customerId)]
  return debtor !== null && (patient === null || patient === debtor)
}

/** One receipt, with the card that paid it, its refunds and refundable amounts. */
export async function findReceipt(scope: Scope, id: string) {
  const { db } = scope
  const [row] = await receipts(db).where(eq(salesReceipts.id, id))
  if (!row) return null
  if (row.contactId) await scope.recordView({ kind: 'sales receipt', contactIds: [row.contactId] })
  const [refunds, appliedCents, card] = await Promise.all([refundsOf(db, row), appliedOf(db, id), cardOfReceipt(db, id)])
  const usedCents = row.kind === 'refund' ? [] : await usedOfLines(db, row, refunds.leftOfLines)
  const leftOfLines = refunds.leftOfLines.map((cents, place) => cents - usedCents[place]!)
  return { ...row, ...refunds, leftOfLines, usedOfLines: usedCents, appliedCents, card }
}

/** The card that paid a sale. A card at the desk is charged before its receipt exists, under the receipt's key. */
async function cardOfReceipt(db: Db, id: string) {
  const { cardBrand: brand, cardLast4: last4, receiptId, idempotencyKey } = cardPayments
  const key = db.select({ key: salesReceipts.idempotencyKey }).from(salesReceipts).where(eq(salesReceipts.id, id))
  const [row] = await db
    .select({ brand, last4 })
    .from(cardPayments)
    .where(or(eq(receiptId, id), inArray(idempotencyKey, key)))
  return row?.brand && row.last4 ? { brand: row.brand, last4: row.last4 } : null
}

const isOpen = inArray(salesReceipts.state, ['pending', 'failed'])

/** Receipts that QuickBooks does not have, oldest first. */
export async function pendingReceipts(scope: Scope, { cursor, limit }: { cursor?: InstantPlace | undefined; limit: number }) {
  const [rows, [counted]] = await Promise.all([
    receipts(scope.db)
      .where(and(isOpen, isNewerThan(cursor, salesReceipts.createdAt, salesReceipts.id)))
      .orderBy(asc(salesReceipts.createdAt), asc(salesReceipts.id))
      .limit(limit + 1),
    scope.db
      .select({ total: sql<number>`count(*)::int` })
      .from(salesReceipts)
      .where(isOpen),
  ])
  const page = cursorPage(rows, limit, placeOf)
  const contactIds = contactIdsOf(page.data)
  if (contactIds.length > 0) await scope.recordView({ kind: 'sales receipt', contactIds })
  return { ...page, total: counted!.total }
}

/** Whether the actor may retry or cancel a receipt. Null: receipt not found. */
async function settleable({ db, actor }: Scope, id: string) {
  const [row] = await db.select({ kind: salesReceipts.kind }).from(salesReceipts).where(eq(salesReceipts.id, id))
  if (!row) return null
  return maySettle(actor, row.kind) || refuse('FORBIDDEN')
}

/** Retries a pending receipt now. Null: receipt not found. */
export async function retryReceipt(scope: Scope, id: string) {
  const can = await settleable(scope, id)
  return can === true ? completed(await settle(scope, id)) : can
}

export async function cancel(scope: Scope, id: string) {
  const can = await settleable(scope, id)
  if (can !== true) return can
  const cancelled = await cancelReceipt(scope, id)
  return cancelled === null || isRefusal(cancelled) ? cancelled : findReceipt(scope, id)
}

/** The patient whose timeline shows a complete receipt, or will. */
export const contactIdOf = ({ db }: Scope, { customerId }: ReceiptRow): Promise<string | null> => linkedContact(db, customerId)

/** Spec 7: IDs of patients with this email. */
export async function contactsWithEmail(scope: Scope, email: string): Promise<{ id: string }[]> {
  const found = await contactsByEmail(scope.db, email)
  if (found.length > 0) await scope.recordView({ kind: 'contact', contactIds: found.map(({ id }) => id) })
  return found
}

/** Spec 7: a customer's patient, found by email or created. */
export async function addContact(
  scope: Scope,
  person: { firstName: string; lastName: string; email: string; customerId: string | null },
): Promise<{ id: string }> {
  const { customerId, ...names } = person
  return scope.db.transaction(async (tx) => ({ id: await linkCustomer(tx, scope, customerId, names) }))
}

/**
 * Spec 7's call that adds a receipt to a timeline. Receipts are added automatically, so this returns the existing entry; a
 * receipt that is on no timeline yet (for example, its customer has no email) is added to this patient's. Null: there is no such
 * patient.
 */
export async function logInteraction(scope: Scope, contactId: string, qbId: string) {
  return scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return null
    const connection = await findConnection(scope)
    const isReceipt = and(
      eq(salesReceipts.qbId, qbId),
      eq(salesReceipts.realmId, connection?.realmId ?? ''),
      eq(salesReceipts.state, 'complete'),
    )
    const [row] = await tx.select().from(salesReceipts).where(isReceipt).for('update')
    if (!row) return refuse('NO_RECEIPT')
    await tx.insert(contactCustomers).values({ contactId, customerId: row.customerId, linkedAt: scope.now() }).onConflictDoNothing()
    return payForPatient(tx, scope, row, contactId)
  })
}

/** The revenue from each patient: `contact_id`, `at`, and `cents` before tax, negative for refunds. For the results of campaigns. */
export const revenueOfPatients = (): SQL => sql`
  select linked.contact_id, revenue.at, revenue.cents
  from (${revenueOfReceipts()}) as revenue join contact_customers as linked on linked.customer_id = revenue.customer_id`
