import type { AppointmentStatus } from '../../care/appointments/rules.ts'

/** Why a fee is due. */
export const feeKinds = ['late_cancel', 'no_show'] as const
export type FeeKind = (typeof feeKinds)[number]

/**
 * - `charging`: it is being charged. - `settled`: paid. - `refused`: the card was refused, and the charge is open.
 * - `waived`: staff decided to charge nothing.
 */
export const feeStates = ['charging', 'settled', 'refused', 'waived'] as const
export type FeeState = (typeof feeStates)[number]

interface Terms {
  lateFeeCents: number
  noShowFeeCents: number
  /** When the visit was cancelled too late to be free. */
  cancelledLateAt: Date | null
}

/** The fee that the accepted terms ask for; null: none. */
export function feeOf(
  status: AppointmentStatus,
  { lateFeeCents, noShowFeeCents, cancelledLateAt }: Terms,
): { kind: FeeKind; amountCents: number } | null {
  if (status === 'no_show') return noShowFeeCents > 0 ? { kind: 'no_show', amountCents: noShowFeeCents } : null
  const isOff = status === 'cancelled' && cancelledLateAt !== null
  return isOff && lateFeeCents > 0 ? { kind: 'late_cancel', amountCents: lateFeeCents } : null
}
