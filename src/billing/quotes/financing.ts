import { createHash } from 'node:crypto'
import { and, eq, isNull, lte } from 'drizzle-orm'
import { z } from 'zod'
import { daysLater, dayAt } from '../../shared/zoned-time.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob } from '../../kernel/jobs.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { itemFor, prepaidItemsOf } from '../prepaid/service.ts'
import { salesReceipts } from '../payments/table.ts'
import { findOrCreateCustomer, recordOwnSale } from '../pos/service.ts'
import { listOf } from '../quickbooks/service.ts'
import { approvalTaskDays, dayProblem, type FinancingStatus, financingLabels, mayBecome } from './financing-rules.ts'
import { lock, type Locked } from './lock.ts'
import { announce } from './quote-events.ts'
import { getQuote } from './read.ts'
import { quoteName, shownStatus } from './rules.ts'
import { quoteFinancings, quotes } from './table.ts'
import { addTaskFor } from './tasks.ts'

type Financing = typeof quoteFinancings.$inferSelect

/** `INVALID_REFERENCE` for a day in the future or before that of the step before; null for others. */
function wrongDay(scope: Scope, field: 'appliedOn' | 'decidedOn' | 'paidOn', day: string, earliest: string | null = null) {
  const problem = dayProblem(day, earliest, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))
  return problem === null ? null : invalidReference({ [field]: problem })
}

/** Records an application. `EXPIRED`: the quote is no longer valid. `FINANCED`: there is one that was not declined. `NOT_OPEN`: the quote was neither sent nor accepted. Null: quote not found. */
export async function apply(scope: Scope, given: { id: string; provider: string; appliedOn: string }) {
  const { id, provider, appliedOn } = given
  const result = await scope.db.transaction(async (tx) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const status = shownStatus(locked.row, dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))
    if (status === 'expired') return refuse('EXPIRED')
    if (status !== 'sent' && status !== 'accepted') return refuse('NOT_OPEN')
    const wrong = wrongDay(scope, 'appliedOn', appliedOn)
    if (wrong) return wrong
    const now = scope.now()
    const [row] = await tx
      .insert(quoteFinancings)
      .values({ quoteId: id, provider, appliedOn, createdBy: staff(scope).id, createdAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('FINANCED')
    await recordChange(tx, scope, { action: 'created', kind: 'quote', contactIds: [locked.row.contactId], after: { id, financing: row } })
    await announce(tx, scope, locked.row, `${quoteName(locked.row)}: applied for financing with ${provider}`)
    return row
  })
  return result === null || isRefusal(result) ? result : getQuote(scope.db, scope, id)
}

/** Records that the company will pay. `NOT_NEXT`: the application is in a stage that this cannot follow. Null: not found. */
export const approve = (
  scope: Scope,
  { id, decidedOn, amountCents, feePercent }: { id: string; decidedOn: string; amountCents: number; feePercent: number },
) =>
  change(
    scope,
    id,
    'approved',
    ({ appliedOn }) => wrongDay(scope, 'decidedOn', decidedOn, appliedOn) ?? { decidedOn, approvedCents: amountCents, feePercent },
  )

/** Records that the company will not pay, or that the patient no longer wants it. `PAYING`: its payment waits for QuickBooks. `NOT_NEXT` and null as above. */
export async function decline(scope: Scope, { id, decidedOn }: { id: string; decidedOn: string }) {
  const result = await scope.db.transaction(async (tx) => {
    // Held until it is declined, so that no receipt is stored in between.
    await lockFinancing(tx, id)
    if (await receiptOf(tx, id)) return refuse('PAYING')
    return changeIn(
      tx,
      scope,
      id,
      'declined',
      ({ appliedOn }) => wrongDay(scope, 'decidedOn', decidedOn, appliedOn) ?? { decidedOn, paidOn: null },
    )
  })
  return result === null || isRefusal(result) ? result : getQuote(scope.db, scope, result)
}

type Changed = Partial<Pick<Financing, 'decidedOn' | 'approvedCents' | 'feePercent' | 'paidOn' | 'paidCents' | 'feeCents' | 'receiptId'>>

async function change(scope: Scope, id: string, status: FinancingStatus, changed: GivenChange) {
  const result = await scope.db.transaction((tx) => changeIn(tx, scope, id, status, changed))
  return result === null || isRefusal(result) ? result : getQuote(scope.db, scope, result)
}

type GivenChange = (before: Financing) => Changed | ReturnType<typeof invalidReference>

/** @returns the id of the quote. */
async function changeIn(tx: Db, scope: Scope, id: string, status: FinancingStatus, changed: GivenChange) {
  const found = await lockFinancing(tx, id)
  if (!found) return null
  const { before, locked } = found
  if (!mayBecome(before.status, status)) return refuse('NOT_NEXT')
  const given = changed(before)
  if (isRefusal(given)) return given
  const [row] = await tx
    .update(quoteFinancings)
    .set({ ...given, status, updatedAt: scope.now() })
    .where(eq(quoteFinancings.id, id))
    .returning()
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'quote',
    contactIds: [locked.row.contactId],
    before: { financing: before },
    after: { financing: row },
  })
  await announce(
    tx,
    scope,
    locked.row,
    `${quoteName(locked.row)}: financing with ${before.provider} ${financingLabels[status].toLowerCase()}`,
  )
  return before.quoteId
}

/** The quote and its patient first, as every change of a quote locks them. */
async function lockFinancing(tx: Db, id: string): Promise<{ before: Financing; locked: Locked } | null> {
  const [seen] = await tx.select({ quoteId: quoteFinancings.quoteId }).from(quoteFinancings).where(eq(quoteFinancings.id, id))
  const locked = seen && (await lock(tx, seen.quoteId))
  const [before] = locked ? await tx.select().from(quoteFinancings).where(eq(quoteFinancings.id, id)).for('update') : []
  return locked && before ? { before, locked } : null
}

interface Payment {
  id: string
  paidCents: number
  feeCents: number
  paidOn: string
  depositAccount: string
}

/**
 * Records what the company paid as a receipt: the patient has paid the whole amount, of which the fee is the practice's expense and the rest reached the account.
 * It is a deposit that pays the quote's charge, and there is one however often and from wherever this is called: its key is that of the application. `NOT_ACCEPTED`: the quote has no charge yet. See `createReceipt` for the others.
 */
export async function pay(scope: Scope, { id, paidCents, feeCents, paidOn, depositAccount }: Payment) {
  const [row] = await scope.db.select().from(quoteFinancings).where(eq(quoteFinancings.id, id))
  const quote = row && (await getQuote(scope.db, scope, row.quoteId))
  if (!row || !quote) return null
  if (quote.chargeId === null) return refuse('NOT_ACCEPTED')
  if (row.status !== 'paid' && !mayBecome(row.status, 'paid')) return refuse('NOT_NEXT')
  const wrong = wrongDay(scope, 'paidOn', paidOn, row.decidedOn)
  if (wrong) return wrong
  const items = await prepaidItemsOf(scope.db, scope.env)
  const fee = itemFor(items, 'fee', scope.env)
  if (isRefusal(fee)) return fee
  const name = scope.env.CARD_PAYMENT_ITEM
  const item = (await listOf(scope.db, 'item')).find((one) => one.name === name)
  if (!item) return refuse('NO_ITEM', undefined, `QuickBooks has no item “${name}”. Ask an administrator to add it.`)
  const customer = await findOrCreateCustomer(scope, quote.contactId)
  if (customer === null || isRefusal(customer)) return customer
  const total = paidCents + feeCents
  const idempotencyKey = await receiptKey(scope.db, id)
  const SalesItemLineDetail = { ItemRef: { value: item.id }, UnitPrice: total, Qty: 1, TaxCodeRef: { value: fee.taxCodeId } }
  const made = await recordOwnSale(
    scope,
    {
      customerId: customer.id,
      customerName: customer.name,
      classRef: null,
      lineItems: [
        {
          DetailType: 'SalesItemLineDetail',
          Amount: total,
          Description: `${quoteName(quote)}, financed by ${row.provider}`,
          SalesItemLineDetail,
        },
      ],
      subtotal: total,
      discountPercent: 0,
      discountAmount: 0,
      taxAmount: 0,
      total,
      depositAccount,
      memo: null,
      paymentMethod: row.provider.slice(0, 64),
      chargeId: quote.chargeId,
      isDeposit: true,
      prepaid: [],
      idempotencyKey,
    },
    feeCents > 0 ? [{ ...fee, accountId: null, kind: 'fee', last4: null, amountCents: feeCents }] : [],
    { financing: id, paidCents, feeCents, depositAccount },
    (tx) => beginPayment(tx, id, paidOn),
  )
  if (isRefusal(made)) return made
  const isPaid = (await scope.db.$count(quoteFinancings, eq(quoteFinancings.receiptId, made.id))) > 0
  return isPaid ? getQuote(scope.db, scope, quote.id) : change(scope, id, 'paid', paymentIn(made))
}

/**
 * Keeps the day of the payment with its receipt, which may only reach QuickBooks when no one remembers it.
 * @returns whether there may be a receipt: the financing was not declined in the meantime
 */
async function beginPayment(tx: Db, id: string, paidOn: string): Promise<boolean> {
  // Not the quote and its patient: a receipt that is completed has locked the patient before the quote.
  const [row] = await tx.select({ status: quoteFinancings.status }).from(quoteFinancings).where(eq(quoteFinancings.id, id)).for('update')
  // Another request stored the receipt while this one waited: both get the same.
  if (await receiptOf(tx, id)) return true
  if (!row || !mayBecome(row.status, 'paid')) return false
  await tx.update(quoteFinancings).set({ paidOn }).where(eq(quoteFinancings.id, id))
  return true
}

type Receipt = typeof salesReceipts.$inferSelect

/** The payment that a receipt recorded: what reached the account, and the fee. */
const paymentIn =
  ({ id, totalCents, prepaidCents }: Pick<Receipt, 'id' | 'totalCents' | 'prepaidCents'>): GivenChange =>
  ({ paidOn }) => ({ paidOn, paidCents: totalCents - prepaidCents, feeCents: prepaidCents, receiptId: id })

/** Marks financing as paid once QuickBooks has the receipt of its payment, however late. */
export async function followFinancingReceipt(tx: Db, scope: Scope, receipt: Receipt): Promise<void> {
  if (receipt.chargeId === null) return
  const [row] = await tx
    .select({ id: quoteFinancings.id })
    .from(quoteFinancings)
    .innerJoin(quotes, eq(quotes.id, quoteFinancings.quoteId))
    .where(and(eq(quotes.chargeId, receipt.chargeId), eq(quoteFinancings.status, 'approved')))
  if (row && (await receiptOf(tx, row.id))?.id === receipt.id) await changeIn(tx, scope, row.id, 'paid', paymentIn(receipt))
}

/** The receipt of the payment, also while QuickBooks does not have it. */
async function receiptOf(db: Db, id: string): Promise<{ id: string } | undefined> {
  const [receipt] = await db
    .select({ id: salesReceipts.id })
    .from(salesReceipts)
    .where(eq(salesReceipts.idempotencyKey, await receiptKey(db, id)))
  return receipt
}

/** The application's id, or another for each receipt that QuickBooks refused or that was cancelled. */
async function receiptKey(db: Db, id: string, attempt = 0): Promise<string> {
  const key = attempt === 0 ? id : uuidFrom(`${id} ${attempt}`)
  const [receipt] = await db.select({ state: salesReceipts.state }).from(salesReceipts).where(eq(salesReceipts.idempotencyKey, key))
  return receipt?.state === 'failed' || receipt?.state === 'cancelled' ? receiptKey(db, id, attempt + 1) : key
}

const uuidFrom = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')

/** Asks someone about approvals that were not paid for two weeks, once for each. */
export const remindFinancing = defineJob({
  name: 'quotes.remind-financing',
  payload: z.object({}),
  cron: '40 13 * * *',
  after: 'people',
  async run(scope) {
    const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
    const isOld = and(
      eq(quoteFinancings.status, 'approved'),
      isNull(quoteFinancings.remindedAt),
      lte(quoteFinancings.decidedOn, daysLater(today, -approvalTaskDays)),
    )
    const rows = await scope.db.select({ id: quoteFinancings.id }).from(quoteFinancings).where(isOld)
    for (const { id } of rows) {
      await scope.db.transaction(async (tx) => {
        const found = await lockFinancing(tx, id)
        if (found?.before.status !== 'approved' || found.before.remindedAt || (await receiptOf(tx, id))) return
        await tx.update(quoteFinancings).set({ remindedAt: scope.now() }).where(eq(quoteFinancings.id, id))
        await addTaskFor(
          tx,
          scope,
          found.locked,
          `financing was approved on ${found.before.decidedOn!} and not paid: ask ${found.before.provider}`,
        )
      })
    }
  },
})
