import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { publish } from '../../kernel/events/events.ts'
import { defineJob } from '../../kernel/jobs.ts'
import { isRefusal, type Refusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { applyToBalance } from '../collections/service.ts'
import { createCustomer, createReceipt, customerOfPatient, emailReceipt, settleKept, taxCodesOf } from '../pos/service.ts'
import { listOf } from '../quickbooks/service.ts'
import { cardMethod, noAccount } from './rules.ts'
import { queueRefund } from './give-back.ts'
import { type CardPayment, cardPayments } from './table.ts'

/**
 * Records a paid card payment as a sales receipt, through the point of sale's own machinery: the payment's id is the receipt's key, so there is one
 * however often this runs. It is a deposit, a liability of the practice, that the ledger applies to what the patient owes. Until QuickBooks has it, the
 * reason is kept and `watchPayments` comes back to it.
 */
export const bookPayment = defineJob({
  name: 'cards.book-payment',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }) {
    const [row] = await scope.db.select().from(cardPayments).where(eq(cardPayments.id, id))
    if (row?.status !== 'paid' || row.bookedAt) return
    const problem = await book(scope, row)
    if (problem !== row.bookingProblem) await scope.db.update(cardPayments).set({ bookingProblem: problem }).where(eq(cardPayments.id, id))
  },
})

/** Null once the receipt is in QuickBooks; otherwise why it is not. */
async function book(scope: Scope, row: CardPayment): Promise<string | null> {
  if (row.amountCents === 0) {
    await scope.db.update(cardPayments).set({ bookedAt: scope.now() }).where(eq(cardPayments.id, row.id))
    return null
  }
  if (row.sale) {
    const receipt = (await settleKept(scope, row.idempotencyKey)) ?? (await createReceipt(scope, { ...row.sale, prepaid: [] }))
    if (isRefusal(receipt)) return problemOf(receipt)
    await scope.db.update(cardPayments).set({ receiptId: receipt.id, bookedAt: scope.now() }).where(eq(cardPayments.id, row.id))
    return null
  }
  const { CARD_PAYMENT_ITEM: itemName, CARD_PAYMENT_ACCOUNT: accountName, CARD_PAYMENT_TAX_CODE: codeName } = scope.env
  const [items, accounts, { codes }] = await Promise.all([
    listOf(scope.db, 'item'),
    listOf(scope.db, 'account'),
    taxCodesOf(scope.db, scope.env),
  ])
  const named = <One extends { name: string }>(all: readonly One[], name: string) => all.find((one) => one.name === name)
  const [item, account, code] = [named(items, itemName), named(accounts, accountName), named(codes, codeName)]
  if (!item) return `QuickBooks has no item “${itemName}” (CARD_PAYMENT_ITEM)`
  if (!account) return noAccount(accountName)
  if (!code) return `QuickBooks has no tax code “${codeName}” (CARD_PAYMENT_TAX_CODE)`
  const customer = await customerFor(scope, row.contactId)
  if ('problem' in customer) return customer.problem

  const { amountCents: cents } = row
  const receipt = await createReceipt(scope, {
    customerId: customer.id,
    customerName: customer.name,
    classRef: null,
    lineItems: [
      {
        DetailType: 'SalesItemLineDetail',
        Amount: cents,
        Description: row.description,
        SalesItemLineDetail: {
          ItemRef: { value: item.id },
          UnitPrice: cents,
          Qty: 1,
          TaxCodeRef: { value: code.id },
        },
      },
    ],
    subtotal: cents,
    discountPercent: 0,
    discountAmount: 0,
    taxAmount: 0,
    total: cents,
    depositAccount: account.id,
    memo: null,
    paymentMethod: cardMethod,
    chargeId: row.chargeId,
    isDeposit: true,
    prepaid: [],
    idempotencyKey: row.id,
  })
  if (isRefusal(receipt)) return problemOf(receipt)
  await scope.db.transaction(async (tx) => {
    const [unbooked] = await tx
      .select({ id: cardPayments.id })
      .from(cardPayments)
      .where(and(eq(cardPayments.id, row.id), isNull(cardPayments.bookedAt)))
      .for('update')
    if (!unbooked) return
    if (row.chargeId === null && row.purpose === 'balance') {
      await applyToBalance(tx, scope, { contactId: row.contactId, receiptId: receipt.id, createdBy: null })
    }
    await tx.update(cardPayments).set({ receiptId: receipt.id, bookedAt: scope.now() }).where(eq(cardPayments.id, row.id))
    await queueRefund(tx, row.id)
    await publish(tx, 'contact', row.contactId)
  })
  // The payment's id is the email's key: it is sent once.
  if (customer.email) await emailReceipt(scope, { id: receipt.id, email: customer.email, idempotencyKey: row.id })
  return null
}

/** Why QuickBooks does not have the receipt (yet), for staff. */
function problemOf({ refusal, data, message }: Refusal<string, unknown>): string {
  if (refusal === 'NOT_CONNECTED' || refusal === 'RECONNECT') return 'QuickBooks is not connected'
  if (refusal === 'PENDING' || refusal === 'AWAY') return 'QuickBooks has not answered yet'
  const fields = z.object({ fields: z.record(z.string(), z.string()) }).safeParse(data)
  return message ?? (fields.success ? Object.values(fields.data.fields).join('. ') : `The receipt was refused: ${refusal}`)
}

/** The patient's customer in QuickBooks, made if there is none. */
async function customerFor(
  scope: Scope,
  contactId: string,
): Promise<{ id: string; name: string; email: string | null } | { problem: string }> {
  const known = await customerOfPatient(scope.db, contactId)
  if (known) return known
  const { firstName, lastName, email } = contacts
  const [contact] = await scope.db.select({ firstName, lastName, email }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact?.email) return { problem: 'The patient has no email address, which a QuickBooks customer needs' }
  const made = await createCustomer(scope, { firstName: contact.firstName, lastName: contact.lastName, email: contact.email, contactId })
  if (made === null) return { problem: 'The patient no longer exists' }
  return isRefusal(made) ? { problem: problemOf(made) } : { id: made.customer.Id, name: made.customer.DisplayName, email: contact.email }
}
