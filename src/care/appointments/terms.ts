import { and, eq, inArray } from 'drizzle-orm'
import type { Env } from '../../kernel/env.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import type { Language } from '../../shared/translations.ts'
import { readOffer } from '../availability/service.ts'
import { type DepositRules, freeUntil, termsOf, type VisitTerms } from '../availability/terms-rules.ts'
import type { Row } from './bookings.ts'
import type { AppointmentStatus } from './rules.ts'
import { appointments, visitTerms } from './table.ts'

/** Whether the practice takes cards. Without, visits are booked without a deposit. */
export const takesCards = slot<(env: Env) => boolean>('takesCards')

/**
 * What a patient has to agree to and pay for a visit that they book themselves, as its type has it now. Null: nothing, also where the practice takes no
 * cards. @param patientIds the records that may be the patient's; none: a new patient.
 */
export async function termsForPatient(
  db: Db,
  { env }: Pick<Scope, 'env'>,
  type: DepositRules,
  patientIds: readonly string[],
): Promise<VisitTerms | null> {
  if (!takesCards(env) || type.depositKind === 'none') return null
  const wasThere = and(inArray(appointments.contactId, [...patientIds]), inArray(appointments.status, ['arrived', 'completed']))
  return termsOf(type, (await db.$count(appointments, wasThere)) === 0)
}

/** What else happens when the status of an appointment changes, in its transaction: a deposit goes back, a fee is due, or no longer. */
export const onStatusChanged =
  slot<(tx: Db, scope: Scope, row: Row, change: { before: AppointmentStatus; isByPatient: boolean }) => Promise<void>>('onStatusChanged')

/** What cancelling an appointment now gives back and, if it is too late, costs; in cents. */
export interface CancellationMoney {
  /** 0: nothing was paid, or it went back. */
  depositCents: number
  /** 0: none was agreed, or one was charged before. */
  lateFeeCents: number
  /** Whether a fee was charged before: there is one at most for an appointment. */
  isFeeCharged: boolean
}
export const cancellationMoney = slot<(db: Db, row: Row) => Promise<CancellationMoney | null>>('cancellationMoney')

/** What the emails about an appointment say of its deposit and its fee, a line each; empty: nothing was agreed. */
export const moneyLines = slot<(tx: Db, row: Row, language: Language) => Promise<string[]>>('moneyLines')

/** What the patient accepted when they booked an appointment; null: nothing. */
export async function termsOfAppointment(db: Db, appointmentId: string) {
  const [found] = await db.select().from(visitTerms).where(eq(visitTerms.appointmentId, appointmentId))
  return found ?? null
}

/**
 * Until when a patient may move or cancel an appointment at no charge, and what cancelling gives back and costs where terms were accepted. The hours that
 * the patient accepted count, whatever the visit type says now. `until` is null if patients may not: the visit cannot be booked online.
 */
export async function changePolicyOf(db: Db, row: Row) {
  const { id, startsAt, visitTypeId } = row
  const terms = await termsOfAppointment(db, id)
  if (terms) return { money: await cancellationMoney(db, row), until: freeUntil(startsAt, terms.changeHours) }
  const visit = visitTypeId === null ? null : await readOffer(db, visitTypeId)
  return { money: null, until: visit && freeUntil(startsAt, visit.changeHours) }
}
