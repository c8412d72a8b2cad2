import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { centsToText } from '../../shared/money.ts'
import { publish } from '../../kernel/events/events.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { lockContact } from '../../care/reservations/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { cardAccountOf, cardRefusalOf, keepDispute } from '../cards/service.ts'
import { cardDisputes, cardPayments } from '../cards/table.ts'
import { evidenceOf } from './evidence.ts'
import { evidenceFields, needsEvidence, whatToDoAfterRefusal } from './rules.ts'

type DisputeRow = typeof cardDisputes.$inferSelect

/** Locks a dispute and its patient, in the order of all who follow disputes. Null: not found. */
async function lockDispute(tx: Db, id: string) {
  const [found] = await tx
    .select({ payment: cardPayments })
    .from(cardDisputes)
    .innerJoin(cardPayments, eq(cardPayments.id, cardDisputes.paymentId))
    .where(eq(cardDisputes.id, id))
  if (!found) return null
  await lockContact(tx, found.payment.contactId)
  const [dispute] = await tx.select().from(cardDisputes).where(eq(cardDisputes.id, id)).for('update')
  return dispute ? { dispute, payment: found.payment } : null
}

/** What staff write to the bank, based on a version. */
export interface Statement {
  id: string
  version: number
  statement: string
}

/** Keeps what staff write to the bank. Null: not found. `CHANGED_MEANWHILE`: it is based on an older version. */
export const keepStatement = (scope: Scope, { id, version, statement }: Statement) =>
  scope.db.transaction(async (tx) => {
    const found = await lockDispute(tx, id)
    if (found === null) return null
    if (found.dispute.evidence) return refuse('SUBMITTED')
    if (!needsEvidence(found.dispute)) return refuse('CLOSED')
    if (found.dispute.version !== version) return refuse('CHANGED_MEANWHILE')
    await tx
      .update(cardDisputes)
      .set({ version: version + 1, evidenceText: statement, updatedAt: scope.now() })
      .where(eq(cardDisputes.id, id))
    await publish(tx, 'dispute', id)
    return undefined
  })

/**
 * Keeps the evidence word for word before Stripe is called, with the key that Stripe knows it by, and sends it; a job sends it if this does not. Null: not found. The
 * same statement again is the same submission. `CHANGED_MEANWHILE`: it is based on an older version. Undefined: Stripe has it.
 */
export async function submitEvidence(scope: Scope, { id, version, statement }: Statement) {
  const kept = await scope.db.transaction(async (tx) => {
    const found = await lockDispute(tx, id)
    if (found === null) return null
    const { dispute, payment } = found
    if (dispute.evidence) return dispute.evidenceText === statement ? undefined : refuse('SUBMITTED')
    if (!needsEvidence(dispute)) return refuse('CLOSED')
    if (dispute.version !== version) return refuse('CHANGED_MEANWHILE')
    const setting = { practiceName: scope.env.PRACTICE_NAME, timeZone: scope.env.PRACTICE_TIME_ZONE }
    const evidence = evidenceFields(await evidenceOf({ db: tx, actor: scope.actor }, payment, dispute.createdAt), statement, setting)
    const now = scope.now()
    const asked = {
      version: version + 1,
      evidence,
      evidenceText: statement,
      evidenceKey: randomUUID(),
      evidenceBy: staff(scope).id,
      evidenceAt: now,
      evidenceProblem: null,
    }
    await tx
      .update(cardDisputes)
      .set({ ...asked, updatedAt: now })
      .where(eq(cardDisputes.id, id))
    await recordChange(tx, scope, { action: 'changed', kind: 'card dispute', contactIds: [payment.contactId], after: { id, evidence } })
    await enqueue(tx, sendEvidence, { id }, `evidence ${id}`, 60_000)
    await publish(tx, 'dispute', id)
    return undefined
  })
  if (kept !== undefined) return kept
  const failed = await send(scope, id)
  if (failed === null) return undefined
  const message = failed.kind === 'refused' ? `Stripe refused the evidence. ${whatToDoAfterRefusal(failed.message)}` : failed.message
  return cardRefusalOf({ ...failed, message })
}

/** Sends kept evidence under its key, so that Stripe takes it once. @returns why Stripe does not have it. */
async function send(scope: Scope, id: string) {
  const account = cardAccountOf(scope)
  const [row] = await scope.db.select().from(cardDisputes).where(eq(cardDisputes.id, id))
  if (!row?.evidence || row.submittedAt || !account) return null
  const result = await account.client.submitEvidence(row.stripeDisputeId, row.evidence, row.evidenceKey!)
  if (result.ok) {
    await keepOutcome(scope, row, { submittedAt: scope.now(), status: result.value.status })
    return null
  }
  if (result.kind === 'refused') {
    await keepOutcome(scope, row, { evidence: null, evidenceKey: null, evidenceAt: null, evidenceProblem: result.message })
  }
  return result
}

const keepOutcome = (scope: Scope, { id, amountCents }: DisputeRow, set: Partial<DisputeRow>): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const found = await lockDispute(tx, id)
    const isOpen = and(eq(cardDisputes.id, id), isNull(cardDisputes.submittedAt))
    const [row] = await tx
      .update(cardDisputes)
      .set({ ...set, updatedAt: scope.now() })
      .where(isOpen)
      .returning()
    if (!found || !row) return
    const { contactId } = found.payment
    if (row.submittedAt) {
      const description = `Evidence about a disputed card payment of $${centsToText(amountCents)} was submitted to the bank`
      await addInteraction(tx, scope, { contactId, type: 'quickbooks', description })
    }
    await publish(tx, 'dispute', id)
    await publish(tx, 'contact', contactId)
  })

/**
 * Gives a dispute up, so that the cardholder keeps the money. Idempotent, and final at Stripe. Null: not found. `SUBMITTED`, `CLOSED`: it can't be
 * given up, also because it is only an inquiry of the bank.
 */
export async function acceptDispute(scope: Scope, id: string) {
  const account = cardAccountOf(scope)
  const asked = await scope.db.transaction(async (tx) => {
    const found = await lockDispute(tx, id)
    if (found === null) return null
    const { dispute, payment } = found
    if (dispute.status === 'lost') return undefined
    if (!account) return refuse('CARDS_UNAVAILABLE')
    if (dispute.evidence) return refuse('SUBMITTED')
    if (dispute.status !== 'needs_response') return refuse('CLOSED')
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'card dispute',
      contactIds: [payment.contactId],
      after: { id, isAccepted: true },
    })
    return { stripeDisputeId: dispute.stripeDisputeId, stripePaymentId: payment.stripePaymentId! }
  })
  if (!asked || isRefusal(asked)) return asked
  const closed = await account!.client.closeDispute(asked.stripeDisputeId)
  if (!closed.ok) return cardRefusalOf(closed)
  await keepDispute(scope, closed.value, asked.stripePaymentId)
  return undefined
}

/** Sends evidence that a request left behind. Throws, and so is retried, while Stripe is not available. */
export const sendEvidence = defineJob({
  name: 'disputes.send-evidence',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 25,
  async run(scope, { id }) {
    const failed = await send(scope, id)
    if (failed && failed.kind !== 'refused') throw new Error(`Stripe did not take evidence: ${failed.kind}`)
  },
})
