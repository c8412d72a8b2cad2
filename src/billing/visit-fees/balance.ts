import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Language } from '../../shared/translations.ts'
import { type AppointmentRow as Row, type CancellationMoney, termsOfAppointment } from '../../care/appointments/service.ts'
import { cardOf, depositOfBooking, latestCard } from '../cards/service.ts'
import { appliedOf, openOfCharge } from '../collections/service.ts'
import { moneyAfter, moneyBefore, moneyOfEarlierFee, type VisitBalance } from './money-lines.ts'
import { type FeeKind, feeOf } from './rules.ts'
import { visitFees } from './table.ts'

export type Terms = NonNullable<Awaited<ReturnType<typeof termsOfAppointment>>>

/** The payment, the saved card and the fee of a visit that was booked with terms. */
export async function readMoney(db: Db, row: Row, terms: Terms) {
  const payment = await depositOfBooking(db, terms.id)
  const card = await latestCard(db, row.contactId, terms.id)
  const [found] = await db.select().from(visitFees).where(eq(visitFees.appointmentId, row.id))
  const fee = found ? { ...found, openCents: found.chargeId === null ? 0 : await openOfCharge(db, found.chargeId) } : null
  return { payment, card, fee, due: fee ? null : feeOf(row.status, terms) }
}

type Money = Awaited<ReturnType<typeof readMoney>>

/** Provides `cancellationMoney` of care/appointments. */
export async function cancellationMoneyOf(db: Db, row: Row): Promise<CancellationMoney | null> {
  const terms = await termsOfAppointment(db, row.id)
  if (!terms) return null
  const { payment, fee } = await readMoney(db, row, terms)
  const isHeld = payment?.status === 'paid' && payment.refundReason === null
  return {
    depositCents: isHeld ? payment.amountCents : 0,
    lateFeeCents: fee ? 0 : terms.lateFeeCents,
    isFeeCharged: fee !== null && fee.state !== 'waived',
  }
}

/** Whether a fee is of an earlier cancellation or absence: the visit was booked again since. */
export function isEarlier({ status }: Row, { cancelledLateAt }: Terms, fee: { kind: FeeKind; createdAt: Date }): boolean {
  if (status === 'no_show') return fee.kind !== 'no_show'
  return !(status === 'cancelled' && fee.kind === 'late_cancel' && cancelledLateAt !== null && fee.createdAt >= cancelledLateAt)
}

async function balanceOf(db: Db, { payment, fee, ...money }: Money): Promise<VisitBalance> {
  const isPaid = payment?.status === 'paid' && payment.amountCents > 0
  const feeCents = await feeFromDeposit(db, { payment, fee })
  const isReturned = payment?.refundReason !== null
  // A deposit that went back before the fee was due pays no part of the fee.
  const isGone = isReturned && feeCents === 0 && fee !== null && fee.state !== 'waived'
  const deposit = isPaid && !isGone ? { cents: payment.amountCents, card: cardOf(payment), isReturned, feeCents } : null
  return { ...money, fee, deposit }
}

/** What a fee took of the deposit or, while it is charged, what it will take; in cents. */
export async function feeFromDeposit(db: Db, { payment, fee }: Pick<Money, 'payment' | 'fee'>): Promise<number> {
  if (payment?.status !== 'paid' || !fee?.chargeId) return 0
  const { receiptId, refundReason, amountCents } = payment
  const applied = receiptId === null ? 0 : await appliedOf(db, receiptId, fee.chargeId)
  return applied === 0 && fee.state === 'charging' && refundReason === null ? Math.min(amountCents, fee.amountCents) : applied
}

/** Provides `moneyLines` of care/appointments. */
export async function linesAbout(db: Db, row: Row, language: Language): Promise<string[]> {
  const terms = await termsOfAppointment(db, row.id)
  if (!terms) return []
  const money = await readMoney(db, row, terms)
  const { fee } = money
  if (fee && fee.state !== 'waived' && isEarlier(row, terms, fee)) return moneyOfEarlierFee(fee, language)
  const balance = await balanceOf(db, money)
  return row.status === 'cancelled' || row.status === 'no_show' ? moneyAfter(balance, language) : moneyBefore(balance, language)
}

/** What a patient reads about the fee of a visit. */
export async function linesAboutFee(db: Db, row: Row, language: Language): Promise<string[]> {
  const terms = await termsOfAppointment(db, row.id)
  return terms ? moneyAfter(await balanceOf(db, await readMoney(db, row, terms)), language) : []
}
