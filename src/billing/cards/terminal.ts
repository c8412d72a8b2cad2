import { and, eq, inArray, or } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { recordOnce } from '../../platform/idempotency/service.ts'
import type { ReceiptPayload } from '../pos/contract.ts'
import { contactForSale, priceSale, reserveSale } from '../pos/service.ts'
import { listOf } from '../quickbooks/service.ts'
import { cardAccountOf, cardRefusalOf } from './account.ts'
import { applyIntent, endUnopened, refreshPayment } from './follow.ts'
import { cardLimits, noAccount, terminalMethod, unsettledStatuses } from './rules.ts'
import { type CardPayment, cardPayments } from './table.ts'

/** The readers that can be chosen at the desk; none if the server is not set up to take cards. */
export async function listReaders(scope: Scope) {
  const account = cardAccountOf(scope)
  if (!account) return []
  const found = await account.client.listReaders()
  return found.ok ? found.value.map(({ id, label, isOnline }) => ({ id, label, isOnline })) : cardRefusalOf(found)
}

/**
 * Asks for a card at a reader, once for each sale: its key is that of the receipt. A sale that could not be recorded is refused before anything is
 * charged. The receipt follows when it is paid, from the desk or by a job.
 */
export async function collect(scope: Scope, { readerId, sale }: { readerId: string; sale: ReceiptPayload & { idempotencyKey: string } }) {
  if (!cardAccountOf(scope)) return refuse('NO_CARDS')
  const { idempotencyKey } = sale
  const amountCents = sale.total - sale.prepaid.reduce((sum, use) => sum + use.amountCents, 0)
  if (amountCents < cardLimits.minCents || amountCents > cardLimits.maxCents) return refuse('AMOUNT')
  const paid = { ...sale, paymentMethod: terminalMethod }
  const kept = await recordOnce(scope.db, { table: cardPayments, key: idempotencyKey, payload: paid }, async (keyed) => {
    const refused = (await problemOfAccount(scope, sale.depositAccount)) ?? (await priceSale(scope, paid))
    if (refused) return refused
    return scope.db.transaction(async (tx) => {
      const contactId = await contactForSale(tx, scope, sale.customerId)
      const now = scope.now()
      const [row] = await tx
        .insert(cardPayments)
        .values({
          ...keyed,
          id: uuidv7(),
          contactId,
          purpose: 'sale',
          referenceId: idempotencyKey,
          description: 'Sale at the practice',
          amountCents,
          // The receipt has what gift cards pay; their codes are kept nowhere.
          sale: { ...paid, prepaid: [] },
          readerId,
          createdBy: staff(scope).id,
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing({ target: cardPayments.idempotencyKey })
        .returning()
      if (!row) return undefined
      const after = { id: row.id, purpose: row.purpose, amountCents: row.amountCents }
      await recordChange(tx, scope, { action: 'created', kind: 'card payment', contactIds: [contactId], after })
      await publish(tx, 'contact', contactId)
      return row
    })
  })
  if (isRefusal(kept)) return kept
  const isUnsettled = unsettledStatuses.some((status) => status === kept.status)
  if (sale.prepaid.length > 0 && isUnsettled) {
    // Before the card is charged, so that no one else can use the balance in between.
    const reserved = await reserveSale(scope, paid)
    if (isRefusal(reserved)) {
      await endUnopened(scope, kept.id)
      return reserved
    }
  }
  return askForCard(scope, kept, readerId)
}

/** Refuses another account than the one from which Stripe's payouts are posted. */
async function problemOfAccount({ db, env }: Scope, id: string) {
  const name = env.CARD_PAYMENT_ACCOUNT
  const account = (await listOf(db, 'account')).find((one) => one.name === name)
  if (!account) return invalidReference({ depositAccount: noAccount(name) })
  return account.id === id ? null : invalidReference({ depositAccount: `Cards that a reader takes go to “${name}”. Choose this account.` })
}

async function askForCard(scope: Scope, row: CardPayment, readerId: string) {
  if (row.status === 'paid') return shown(row, null)
  if (row.status === 'cancelled') return refuse('KEY_REUSED')
  const { client } = cardAccountOf(scope)!
  const { id, amountCents, description } = row
  const made = await client.createPayment(
    { amountCents, customerId: null, description, reference: id, savesCard: false, isInPerson: true },
    id,
  )
  if (!made.ok) return cardRefusalOf(made)
  const opened = { stripePaymentId: made.value.id, status: 'open' as const, readerId, updatedAt: scope.now() }
  const isOpen = and(eq(cardPayments.id, id), inArray(cardPayments.status, [...unsettledStatuses]))
  const [kept] = await scope.db.update(cardPayments).set(opened).where(isOpen).returning({ id: cardPayments.id })
  if (!kept) {
    // The desk cancelled in the meantime: no card may be charged for it.
    await client.cancelPayment(made.value.id)
    return refuse('KEY_REUSED')
  }
  const reader = await client.findReader(readerId)
  if (!reader.ok) return cardRefusalOf(reader)
  const isAsking = reader.value.action?.status === 'in_progress' && reader.value.action.paymentId === made.value.id
  // A new key for each card: the same key would return the answer for the one before.
  const asked = isAsking ? reader : await client.collect({ readerId, paymentId: made.value.id }, crypto.randomUUID())
  if (asked.ok) return shown({ id, status: 'open' }, null)
  if (asked.code === 'terminal_reader_busy' || asked.code === 'terminal_reader_offline') return refuse('READER', undefined, asked.message)
  // The card may have been taken a moment ago.
  const after = await refreshPayment(scope, { ...row, ...opened }).catch(() => null)
  return after?.status === 'paid' ? shown(after, null) : cardRefusalOf(asked)
}

const shown = ({ id, status }: Pick<CardPayment, 'id' | 'status'>, failureCode: string | null) => ({ id, status, failureCode })

/** What became of a payment at a reader: Stripe is asked. `failureCode`: the reader has given up, and can be asked again. Null: not found. */
export async function checkCollected(scope: Scope, id: string) {
  const found = await openSale(scope, id)
  if (found === null) return null
  if (found.over) return found.over
  const { row, client, stripePaymentId } = found
  const [payment, reader] = await Promise.all([client.findPayment(stripePaymentId), client.findReader(row.readerId!)])
  if (!payment.ok) return cardRefusalOf(payment)
  const after = await applyIntent(scope, row.id, payment.value)
  const action = reader.ok && reader.value.action?.paymentId === stripePaymentId ? reader.value.action : null
  return shown(after, after.status === 'open' && action?.status === 'failed' ? (action.failureCode ?? 'declined') : null)
}

/** Ends a payment at a reader, unless the card was taken in the meantime: then it is paid. @param id of the payment, or the key of its sale. Null: not found. */
export async function cancelCollected(
  scope: Scope,
  id: string,
): Promise<ReturnType<typeof shown> | ReturnType<typeof cardRefusalOf> | null> {
  const found = await openSale(scope, id)
  if (found === null) return null
  if (found.over) {
    if (found.over.status !== 'started') return found.over
    // Otherwise a reader was asked for it in the meantime.
    return (await endUnopened(scope, found.row.id)) ? { ...found.over, status: 'cancelled' } : cancelCollected(scope, id)
  }
  const { row, client, stripePaymentId } = found
  const reader = await client.findReader(row.readerId!)
  // Another payment that has the reader by now goes on.
  if (reader.ok && reader.value.action?.paymentId === stripePaymentId) await client.cancelReader(row.readerId!)
  const cancelled = await client.cancelPayment(stripePaymentId)
  const payment = cancelled.ok || cancelled.kind !== 'refused' ? cancelled : await client.findPayment(stripePaymentId)
  return payment.ok ? shown(await applyIntent(scope, row.id, payment.value), null) : cardRefusalOf(payment)
}

/** For a receipt that waits for the card. False: the card was charged, or may be. */
export async function endCardPaymentOf(scope: Scope, key: string): Promise<boolean> {
  const ended = await cancelCollected(scope, key)
  return ended !== null && !isRefusal(ended) && ended.status === 'cancelled'
}

/** A payment that a reader may still take, or its outcome. Null: not found. */
async function openSale(scope: Scope, id: string) {
  const account = cardAccountOf(scope)
  const [row] = await scope.db
    .select()
    .from(cardPayments)
    .where(and(or(eq(cardPayments.id, id), eq(cardPayments.idempotencyKey, id)), eq(cardPayments.purpose, 'sale')))
  if (!row || !account) return null
  const { stripePaymentId, status } = row
  if (stripePaymentId === null || status === 'paid' || status === 'cancelled')
    return { over: shown(row, null), row, stripePaymentId: '', client: account.client }
  return { over: null, row, client: account.client, stripePaymentId }
}
