import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { centsToText } from '../../shared/money.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { addTask, appendToTask, assigneesFor, closeTask } from '../../crm/tasks/service.ts'
import { termsOfAppointment } from '../../care/appointments/service.ts'
import { appointments } from '../../care/appointments/table.ts'
import { chargeSavedCard, depositOfBooking, giveBack } from '../cards/service.ts'
import { openOfCharge, payCharge } from '../collections/service.ts'
import { sendFeeNotice } from './notices.ts'
import { visitFees } from './table.ts'
import { feeTexts } from './texts.ts'

type Fee = typeof visitFees.$inferSelect & { chargeId: string; attemptKey: string; contactId: string }

/**
 * Takes a fee from the deposit first and charges the rest to the saved card; what is left of the deposit goes back. Throws, and so is retried, while the
 * deposit is not in the books yet or Stripe is not available. A refused card becomes a task for billing and an email with a payment link.
 */
export const settleFee = defineJob({
  name: 'visit-fees.settle',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { id }) {
    const fee = await find(scope.db, id)
    if (!fee) return
    const { contactId } = fee
    const terms = await termsOfAppointment(scope.db, fee.appointmentId)
    const openCents = await payFromDeposit(scope, fee, terms?.id)
    if (openCents <= 0) return end(scope, fee, { state: 'settled' })
    const given = {
      contactId,
      amountCents: openCents,
      purpose: 'fee' as const,
      referenceId: id,
      chargeId: fee.chargeId,
      description: feeTexts.en('receipt'),
      idempotencyKey: fee.attemptKey,
    }
    const charged = await chargeSavedCard(scope, given, terms?.id)
    if (isRefusal(charged)) {
      const isFinal = charged.refusal === 'NO_CARD' || charged.refusal === 'NO_CARDS' || charged.refusal === 'AMOUNT'
      if (!isFinal) throw new Error(`A fee could not be charged: ${charged.refusal}`)
      return end(scope, fee, { state: 'refused', failureCode: 'no_card', openCents })
    }
    if (charged.status === 'declined')
      return end(scope, fee, { state: 'refused', failureCode: charged.failureCode ?? 'unknown', openCents })
    // The bank has not decided: the same key is asked again.
    if (charged.status === 'processing') throw new Error('The bank has not answered yet')
    return end(scope, fee, { state: 'settled' })
  },
})

async function find(db: Db, id: string): Promise<Fee | null> {
  const [row] = await db
    .select({ fee: visitFees, contactId: appointments.contactId })
    .from(visitFees)
    .innerJoin(appointments, eq(appointments.id, visitFees.appointmentId))
    .where(and(eq(visitFees.id, id), eq(visitFees.state, 'charging')))
  const { chargeId, attemptKey } = row?.fee ?? {}
  return row && chargeId && attemptKey ? { ...row.fee, chargeId, attemptKey, contactId: row.contactId } : null
}

/** Applies the deposit to the charge of the fee, and gives the rest back. @returns what is still open, in cents. */
async function payFromDeposit(scope: Scope, { chargeId, contactId }: Fee, booking: string | undefined): Promise<number> {
  const deposit = booking === undefined ? null : await depositOfBooking(scope.db, booking)
  const isTaken = deposit?.status === 'paid' && deposit.amountCents > 0
  if (isTaken && !deposit.receiptId) throw new Error('The deposit is not in the books yet')
  return scope.db.transaction(async (tx) => {
    if (isTaken && deposit.receiptId && deposit.refundReason === null) {
      await payCharge(tx, scope, { chargeId, contactId, receiptId: deposit.receiptId, createdBy: null })
      await giveBack(tx, scope, deposit.id, 'The rest of the deposit')
    }
    return openOfCharge(tx, chargeId)
  })
}

type Outcome =
  | { state: 'settled' }
  /** `openCents`: what could not be charged. */
  | { state: 'refused'; failureCode: string; openCents: number }

/** Records the outcome once, with what follows from it. */
const end = (scope: Scope, { id }: Fee, outcome: Outcome): Promise<void> => scope.db.transaction((tx) => endWithin(tx, scope, id, outcome))

async function endWithin(tx: Db, scope: Scope, id: string, outcome: Outcome): Promise<void> {
  const failureCode = outcome.state === 'refused' ? outcome.failureCode : null
  const [fee] = await tx
    .update(visitFees)
    .set({ state: outcome.state, failureCode, updatedAt: scope.now() })
    .where(and(eq(visitFees.id, id), eq(visitFees.state, 'charging')))
    .returning()
  if (!fee) return
  const { appointmentId } = fee
  const [row] = await tx.select({ contactId: appointments.contactId }).from(appointments).where(eq(appointments.id, appointmentId))
  const { contactId } = row!
  if (outcome.state === 'refused') await askForPayment(tx, scope, { ...fee, contactId }, outcome)
  else {
    if (fee.taskId) await closeTask(tx, scope, fee.taskId, 'completed')
    // A patient who cancelled reads it in the email about that, unless the card was refused at first.
    if (fee.createdBy !== null || fee.taskId) await sendFeeNotice(tx, scope, appointmentId, 'charged')
  }
  await publish(tx, 'contact', contactId)
}

/** A payment of a fee that went through, from `onPaid`. */
export const settlePaidFee = (tx: Db, scope: Scope, { referenceId }: { referenceId: string }): Promise<void> =>
  endWithin(tx, scope, referenceId, { state: 'settled' })

/** Provides `onPaymentApplied` of collections. In a job, because a decision about a fee locks the fee before its charge. */
export async function queuePaidFee(tx: Db, _scope: Scope, chargeId: string): Promise<void> {
  const [fee] = await tx
    .select({ id: visitFees.id })
    .from(visitFees)
    .where(and(eq(visitFees.chargeId, chargeId), eq(visitFees.state, 'refused')))
  if (fee) await enqueue(tx, endPaidFee, { id: fee.id })
}

/** Ends a fee whose card was refused and that was paid in another way since, by the link in the email or at the desk, and completes its task. */
export const endPaidFee = defineJob({
  name: 'visit-fees.end-paid',
  payload: z.object({ id: z.uuid() }),
  run: (scope, { id }) =>
    scope.db.transaction(async (tx) => {
      const [fee] = await tx
        .select()
        .from(visitFees)
        .where(and(eq(visitFees.id, id), eq(visitFees.state, 'refused')))
        .for('update')
      if (!fee?.chargeId || (await openOfCharge(tx, fee.chargeId)) > 0) return
      await tx.update(visitFees).set({ state: 'settled', failureCode: null, updatedAt: scope.now() }).where(eq(visitFees.id, id))
      if (fee.taskId) await closeTask(tx, scope, fee.taskId, 'completed')
    }),
})

async function askForPayment(
  tx: Db,
  scope: Scope,
  { id, contactId, appointmentId, taskId: earlierTaskId }: Omit<Fee, 'chargeId' | 'attemptKey'>,
  { openCents, failureCode: code }: { openCents: number; failureCode: string },
) {
  const isMailed = await sendFeeNotice(tx, scope, appointmentId, code === 'no_card' ? 'noCard' : 'refused')
  const reason = code === 'no_card' ? 'there is no saved card' : `the card was refused (${code.replaceAll('_', ' ')})`
  const description = `$${centsToText(openCents)} of a fee could not be charged: ${reason}.${isMailed ? ' The patient got an email with a link to pay.' : ''}`
  const isAdded = earlierTaskId !== null && (await appendToTask(tx, scope, earlierTaskId, description))
  const taskId = isAdded
    ? earlierTaskId
    : await addTask(tx, scope, {
        // The title is sent by email, so it doesn't name the patient.
        title: 'Collect a fee whose card was refused',
        description,
        type: 'Call',
        dueDate: dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE),
        contactId,
        people: await assigneesFor(tx, [], 'billing'),
      })
  await tx.update(visitFees).set({ taskId }).where(eq(visitFees.id, id))
  await addInteraction(tx, scope, {
    contactId,
    type: 'quickbooks',
    description: `$${centsToText(openCents)} of a fee could not be charged: ${reason}`,
    metadata: { appointmentId },
  })
}
