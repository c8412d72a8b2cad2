import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Dispute } from '../../integrations/stripe/shapes.ts'
import { centsToText } from '../../shared/money.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { lockContact } from '../../care/reservations/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { addTask, assigneesFor } from '../../crm/tasks/service.ts'
import { cardAccountOf } from './account.ts'
import { cardDisputes, cardPayments } from './table.ts'

/** Days before Stripe's deadline on which the task is due. */
const daysBefore = 2
/** What is over, as the timeline says it. */
const outcomes: Record<string, string> = { won: 'The dispute was won: the money is back', lost: 'The dispute was lost: the money is gone' }

/**
 * Keeps what Stripe says of a dispute, in any order and any number of times. A new one gives a task to those who do the billing, due two days before evidence has
 * to be at Stripe. Throws, and so is retried, while Stripe is not available.
 */
export const followDispute = defineJob({
  name: 'cards.follow-dispute',
  payload: z.object({ stripeDisputeId: z.string() }),
  maxAttempts: 25,
  async run(scope, { stripeDisputeId }) {
    const account = cardAccountOf(scope)
    if (!account) return
    const found = await account.client.findDispute(stripeDisputeId)
    if (!found.ok && found.kind !== 'refused') throw new Error(`Stripe did not say what became of a dispute: ${found.kind}`)
    if (found.ok && found.value.paymentId !== null) await keepDispute(scope, found.value, found.value.paymentId)
  },
})

/** Keeps what Stripe says of a dispute of one of our payments. Idempotent. */
export const keepDispute = (scope: Scope, dispute: Dispute, stripePaymentId: string): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const isPayment = eq(cardPayments.stripePaymentId, stripePaymentId)
    const [payment] = await tx.select({ id: cardPayments.id, contactId: cardPayments.contactId }).from(cardPayments).where(isPayment)
    if (!payment) return
    const { contactId } = payment
    await lockContact(tx, contactId)
    const { id: stripeDisputeId, amountCents, reason, status, dueBy } = dispute
    const now = scope.now()
    const [before] = await tx.select().from(cardDisputes).where(eq(cardDisputes.stripeDisputeId, stripeDisputeId)).for('update')
    if (before?.status === status) return
    const row = { stripeDisputeId, paymentId: payment.id, amountCents, reason, status, dueBy, updatedAt: now }
    const [kept] = await tx
      .insert(cardDisputes)
      .values({ ...row, createdAt: now })
      .onConflictDoUpdate({ target: cardDisputes.stripeDisputeId, set: row })
      .returning({ id: cardDisputes.id })
    const amount = `$${centsToText(amountCents)}`
    const description = outcomes[status] ?? (before ? null : `A card payment of ${amount} is disputed: ${reason.replaceAll('_', ' ')}`)
    if (description) await addInteraction(tx, scope, { contactId, type: 'quickbooks', description })
    if (!before && status.endsWith('needs_response')) await addDisputeTask(tx, scope, { disputeId: kept!.id, contactId, dueBy, reason })
    await publish(tx, 'dispute', kept!.id)
    await publish(tx, 'contact', contactId)
  })

async function addDisputeTask(
  tx: Db,
  scope: Scope,
  { disputeId, contactId, dueBy, reason }: { disputeId: string; contactId: string; dueBy: Date | null; reason: string },
) {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const at = dueBy === null ? scope.now() : new Date(Math.max(scope.now().getTime(), dueBy.getTime() - daysBefore * 86_400_000))
  await addTask(tx, scope, {
    // The title is sent by email, so it doesn't name the patient.
    title: 'Answer a disputed card payment',
    description: `The bank's reason: ${reason.replaceAll('_', ' ')}. Check and submit the prepared evidence${dueBy === null ? '' : ` by ${dayAt(dueBy, zone)}`}: ${scope.env.APP_URL}/collections?tab=disputes&dispute=${disputeId}`,
    type: 'Follow-up',
    dueDate: dayAt(at, zone),
    contactId,
    people: await assigneesFor(tx, [], 'billing'),
  })
}
