import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { centsToText } from '../../shared/money.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { closeTask } from '../../crm/tasks/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { appointmentBookings, type AppointmentRow as Row, termsOfAppointment } from '../../care/appointments/service.ts'
import type { AppointmentStatus } from '../../care/appointments/rules.ts'
import { appointments, visitTerms } from '../../care/appointments/table.ts'
import { freeUntil } from '../../care/availability/terms-rules.ts'
import { cardOf, refundBookingDeposit, unbookedCents } from '../cards/service.ts'
import { addFeeCharge, voidFeeCharge } from '../collections/service.ts'
import { feeFromDeposit, isEarlier, readMoney, type Terms } from './balance.ts'
import type { VisitMoney } from './contract.ts'
import { sendFeeNotice } from './notices.ts'
import { feeOf } from './rules.ts'
import { settleFee } from './settle.ts'
import { visitFees } from './table.ts'

/** The deposit, the saved card and the fee of an appointment. Null: there is no such appointment. `{ money: null }`: no terms were accepted. */
export async function moneyOfVisit(scope: Scope, id: string) {
  const [row] = await scope.db.select().from(appointments).where(eq(appointments.id, id))
  if (!row) return null
  const terms = await termsOfAppointment(scope.db, id)
  await scope.recordView({ kind: 'ledger', contactIds: [row.contactId] })
  return { money: terms && (await read(scope.db, row, terms)) }
}

async function read(db: Db, row: Row, terms: Terms): Promise<VisitMoney> {
  const { payment, card, fee, due } = await readMoney(db, row, terms)
  return {
    terms: {
      text: terms.text,
      acceptedAt: terms.acceptedAt,
      depositCents: terms.depositCents,
      lateFeeCents: terms.lateFeeCents,
      freeUntil: freeUntil(row.startsAt, terms.changeHours),
    },
    deposit: terms.depositCents === 0 ? 'none' : payment?.status !== 'paid' ? 'due' : payment.refundReason === null ? 'paid' : 'returned',
    depositCard: payment && cardOf(payment),
    card: card && { brand: card.brand, last4: card.last4, expiryMonth: card.expiryMonth, expiryYear: card.expiryYear },
    due,
    fee: fee
      ? {
          kind: fee.kind,
          amountCents: fee.amountCents,
          state: fee.state,
          openCents: fee.openCents,
          fromDepositCents: await feeFromDeposit(db, { payment, fee }),
          failureCode: fee.failureCode,
          reason: fee.reason,
          at: fee.createdAt,
          isEarlier: isEarlier(row, terms, fee),
        }
      : null,
  }
}

/** Provides `onStatusChanged` of care/appointments. */
export async function followStatus(
  tx: Db,
  scope: Scope,
  row: Row,
  { before, isByPatient }: { before: AppointmentStatus; isByPatient: boolean },
): Promise<void> {
  const isRestored = (before === 'cancelled' || before === 'no_show') && row.status !== before
  const terms = isRestored || row.status === 'cancelled' ? await termsOfAppointment(tx, row.id) : null
  if (!terms) return
  if (row.status === 'cancelled') await followCancelled(tx, scope, row, { terms, isByPatient })
  else await followRestored(tx, scope, row, terms)
}

/**
 * Cancelled in time, the deposit goes back; cancelled late by the patient, who has seen the fee, the fee is charged. Whether a late cancellation by staff
 * costs something is for them to decide.
 */
async function followCancelled(
  tx: Db,
  scope: Scope,
  row: Row,
  { terms, isByPatient }: { terms: Terms; isByPatient: boolean },
): Promise<void> {
  const late = scope.now() > freeUntil(row.startsAt, terms.changeHours)
  await tx
    .update(visitTerms)
    .set({ cancelledLateAt: late ? scope.now() : null })
    .where(eq(visitTerms.id, terms.id))
  if (!late || terms.lateFeeCents === 0)
    await refundBookingDeposit(tx, scope, terms.id, late ? 'Cancelled late, for which no fee was agreed' : 'Cancelled in time')
  else if (isByPatient) await addFee(tx, scope, row, { kind: 'late_cancel', amountCents: terms.lateFeeCents }, randomUUID())
}

/**
 * A visit that takes place after all has no fee to decide about, and a waiver no longer counts: the next cancellation is decided again. A fee that was
 * charged stays, and is the only one.
 */
async function followRestored(tx: Db, scope: Scope, { id, contactId }: Row, terms: Terms): Promise<void> {
  await tx.update(visitTerms).set({ cancelledLateAt: null }).where(eq(visitTerms.id, terms.id))
  const isWaived = and(eq(visitFees.appointmentId, id), eq(visitFees.state, 'waived'))
  const [before] = await tx.delete(visitFees).where(isWaived).returning()
  if (before) await recordChange(tx, scope, { action: 'deleted', kind: 'visit fee', contactIds: [contactId], before })
}

const kindNames = { late_cancel: 'Fee for a late cancellation', no_show: 'Fee for a missed visit' } as const

/** Charges a fee, unless the visit has one. @param attemptKey of the first attempt to charge the card. */
async function addFee(
  tx: Db,
  scope: Scope,
  { id: appointmentId, contactId }: Row,
  due: NonNullable<ReturnType<typeof feeOf>>,
  attemptKey: string,
): Promise<void> {
  if ((await tx.$count(visitFees, eq(visitFees.appointmentId, appointmentId))) > 0) return
  const now = scope.now()
  const chargeId = await addFeeCharge(tx, scope, {
    contactId,
    description: kindNames[due.kind],
    amountCents: due.amountCents,
    dueOn: dayAt(now, scope.env.PRACTICE_TIME_ZONE),
    isBeforeSurgery: false,
    plan: [],
  })
  const row = { appointmentId, ...due, chargeId, attemptKey, createdBy: scope.actor?.id ?? null }
  const [fee] = await tx
    .insert(visitFees)
    .values({ ...row, state: 'charging', createdAt: now, updatedAt: now })
    .returning()
  await addInteraction(tx, scope, {
    contactId,
    type: 'quickbooks',
    description: `${kindNames[due.kind]}: $${centsToText(due.amountCents)}`,
    metadata: { appointmentId },
  })
  await enqueue(tx, settleFee, { id: fee!.id }, `visit fee ${fee!.id}`)
  await publish(tx, 'contact', contactId)
}

/**
 * Charges the fee that is due, or tries a refused card again. NOT_DUE: no fee is due, or someone has decided about it. PAYING: a card payment of the
 * patient is not in the ledger yet. Null: no such appointment.
 */
export const chargeFee = (scope: Scope, { id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
  decide(scope, id, async (tx, row, terms) => {
    const [fee] = await tx.select().from(visitFees).where(eq(visitFees.appointmentId, id)).for('update')
    if (fee?.attemptKey === idempotencyKey || fee?.state === 'charging') return undefined
    if (fee?.state === 'refused') {
      if ((await unbookedCents(tx, row.contactId)) > 0) return refuse('PAYING')
      await tx
        .update(visitFees)
        .set({ state: 'charging', attemptKey: idempotencyKey, failureCode: null, updatedAt: scope.now() })
        .where(eq(visitFees.id, fee.id))
      await enqueue(tx, settleFee, { id: fee.id }, `visit fee ${fee.id}`)
      return undefined
    }
    const due = fee ? null : feeOf(row.status, terms)
    if (!due) return refuse('NOT_DUE')
    await addFee(tx, scope, row, due, idempotencyKey)
    return undefined
  })

/**
 * Waives the fee that is due or whose card was refused, and gives the deposit back. NOT_DUE: no fee is due, or it is paid. PAYING: as in `chargeFee`.
 * Null: no such appointment.
 */
export const waiveFee = (scope: Scope, { id, reason }: { id: string; reason: string }) =>
  decide(scope, id, async (tx, row, terms) => {
    const [fee] = await tx.select().from(visitFees).where(eq(visitFees.appointmentId, id)).for('update')
    if (fee?.state === 'waived') return undefined
    if (fee?.state === 'refused' && (await unbookedCents(tx, row.contactId)) > 0) return refuse('PAYING')
    const kind = fee
      ? await waiveRefused(tx, scope, row, { fee, reason })
      : await waiveDue(tx, scope, row, { due: feeOf(row.status, terms), reason })
    if (!kind) return refuse('NOT_DUE')
    await addInteraction(tx, scope, {
      contactId: row.contactId,
      type: 'quickbooks',
      description: `${kindNames[kind]} waived: ${reason}`,
      metadata: { appointmentId: id },
    })
    await refundBookingDeposit(tx, scope, terms.id, 'The fee was waived')
    await sendFeeNotice(tx, scope, id, 'waived')
    await publish(tx, 'contact', row.contactId)
    return undefined
  })

/** Records that a fee is not charged. @returns its kind; null if none is due. */
async function waiveDue(tx: Db, scope: Scope, row: Row, { due, reason }: { due: ReturnType<typeof feeOf>; reason: string }) {
  if (!due) return null
  const now = scope.now()
  const columns = { appointmentId: row.id, ...due, reason, createdBy: staff(scope).id, createdAt: now, updatedAt: now }
  const [after] = await tx
    .insert(visitFees)
    .values({ ...columns, state: 'waived' })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'visit fee', contactIds: [row.contactId], after: after! })
  return due.kind
}

/** Voids the charge of a fee whose card was refused, and closes its task. @returns its kind; null if it is paid or being charged. */
async function waiveRefused(tx: Db, scope: Scope, row: Row, { fee, reason }: { fee: typeof visitFees.$inferSelect; reason: string }) {
  if (fee.state !== 'refused' || fee.chargeId === null || !(await voidFeeCharge(tx, scope, fee.chargeId, reason))) return null
  const change = { state: 'waived' as const, reason }
  await tx
    .update(visitFees)
    .set({ ...change, updatedAt: scope.now() })
    .where(eq(visitFees.id, fee.id))
  const before = { id: fee.id, state: fee.state, reason: fee.reason }
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'visit fee',
    contactIds: [row.contactId],
    before,
    after: { id: fee.id, ...change },
  })
  if (fee.taskId) await closeTask(tx, scope, fee.taskId, 'cancelled')
  return fee.kind
}

async function decide<Refused>(scope: Scope, id: string, work: (tx: Db, row: Row, terms: Terms) => Promise<Refused | undefined>) {
  const done = await scope.db.transaction(async (tx) => {
    const locked = await appointmentBookings.lock(tx, id)
    if (!locked) return null
    const terms = await termsOfAppointment(tx, id)
    if (!terms) return refuse('NOT_DUE')
    return work(tx, locked.row, terms)
  })
  return done === null || isRefusal(done) ? done : moneyOfVisit(scope, id)
}
