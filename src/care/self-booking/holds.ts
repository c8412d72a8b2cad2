import { isDeepStrictEqual } from 'node:util'
import { and, eq, ne, notExists, sql } from 'drizzle-orm'
import type { Attempts } from '../../kernel/attempts.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contactsByEmail, lockEmails } from '../../crm/contacts/service.ts'
import { fillVisit, nameOfProvider, termsForPatient, upcomingVisits } from '../appointments/service.ts'
import { visitTerms } from '../appointments/table.ts'
import { assignVisit, isOffered, readOffer, visitNeeds } from '../availability/service.ts'
import type { DepositRules, VisitTerms } from '../availability/terms-rules.ts'
import { withReservation } from '../reservations/service.ts'
import { patientOfOffer } from '../waiting-list/service.ts'
import type { PatientKind } from '../availability/rules.ts'
import { isSentCode } from './codes.ts'
import type { HeldTime } from './contract.ts'
import { releaseTime, sendBookingCode } from './jobs.ts'
import { bookingLimits } from './rules.ts'
import { type Booker, bookingHolds } from './table.ts'

type Row = typeof bookingHolds.$inferSelect

const tooMany = refuse('TOO_MANY_REQUESTS')
const taken = refuse('TAKEN')
const over = refuse('OVER')
const minutesAfter = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)

interface Choice {
  providerId: string | null
  startsAt: Date
}

interface Beginning extends Booker {
  key: string
  visitTypeId: string
  providerId: string | null
  /** Null: for the waiting list. */
  startsAt: Date | null
}

/**
 * Begins a booking and sends a code to its address; nothing is held yet, so that no one can hold times with invented addresses. NO_VISIT: the visit is not offered. TAKEN: it
 * is not possible at this time.
 */
export async function begin(scope: Scope, attempts: Attempts, { key, visitTypeId, providerId, startsAt, ...booker }: Beginning) {
  const { db, env, now } = scope
  const codeExpiresAt = minutesAfter(now(), bookingLimits.codeMinutes)
  // Checked first, so that a network address over its limit does not use up the limits of other people's email addresses.
  if (!(await attempts.consume('mailAddress', rateLimitKey(scope.origin.address)))) return tooMany
  const [known] = await db.select().from(bookingHolds).where(eq(bookingHolds.id, key))
  if (known) {
    const isSame =
      isDeepStrictEqual(known.booker, booker) &&
      known.wantedProviderId === providerId &&
      known.visitTypeId === visitTypeId &&
      known.startsAt?.getTime() === startsAt?.getTime()
    return isSame ? { codeExpiresAt: known.codeExpiresAt ?? codeExpiresAt } : refuse('KEY_REUSED')
  }
  const type = await readOffer(db, visitTypeId)
  if (!type || (providerId !== null && !type.providerIds.includes(providerId))) return refuse('NO_VISIT')
  const zone = env.PRACTICE_TIME_ZONE
  const visit = visitNeeds(type, { minutes: type.minutes, providerId })
  if (startsAt && (!isOffered(type, startsAt, now(), zone) || !(await assignVisit(db, zone, visit, startsAt, false)))) return taken
  if (!(await mayBeMailed(attempts, booker.email))) return tooMany
  await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(bookingHolds)
      .values({
        id: key,
        visitTypeId,
        wantedProviderId: providerId,
        startsAt,
        endsAt: startsAt && minutesAfter(startsAt, type.minutes),
        booker,
        createdAt: now(),
        expiresAt: endOfBooking(scope),
      })
      .onConflictDoNothing()
      .returning({ id: bookingHolds.id })
    if (row) await enqueue(tx, sendBookingCode, { id: key })
  })
  return { codeExpiresAt }
}

/** When a booking that begins now ends if it is not finished. */
export const endOfBooking = ({ now }: Scope): Date => minutesAfter(now(), bookingLimits.minutes)

const mayBeMailed = async (attempts: Attempts, email: string): Promise<boolean> =>
  !(await Promise.all([attempts.consume('mail', email), attempts.consume('mailDay', email)])).includes(false)

/** Sends another code. OVER: the booking has ended, or its address is proved already. */
export async function resend(scope: Scope, attempts: Attempts, key: string) {
  if (!(await attempts.consume('mailAddress', rateLimitKey(scope.origin.address)))) return tooMany
  const [row] = await scope.db.select().from(bookingHolds).where(eq(bookingHolds.id, key))
  if (!isUnderWay(row, scope.now()) || row.provenAt) return over
  if (!(await mayBeMailed(attempts, row.booker.email))) return tooMany
  await enqueue(scope.db, sendBookingCode, { id: key })
  return { codeExpiresAt: minutesAfter(scope.now(), bookingLimits.codeMinutes) }
}

export type UnderWay = Row & { booker: Booker }
export const isUnderWay = (row: Row | undefined, now: Date): row is UnderWay =>
  row !== undefined && (row.status === 'open' || row.status === 'held') && row.booker !== null && row.expiresAt > now

const lock = async (tx: Db, key: string): Promise<Row | undefined> =>
  (await tx.select().from(bookingHolds).where(eq(bookingHolds.id, key)).for('update'))[0]

/**
 * Exchanges the code for a held time, if one was chosen. INVALID_CODE: wrong, expired or tried too often. Refuses as `holdTime` does, but then the address is proved
 * all the same.
 */
export async function prove(scope: Scope, attempts: Attempts, { key, code }: { key: string; code: string }) {
  const proven = await checkCode(scope, key, code)
  if (isRefusal(proven)) return proven
  const { booker, wantedProviderId, startsAt } = proven
  // A code that is sent again is forgiven once.
  if (proven.provenAt === null) await Promise.all([attempts.forgive('mail', booker.email), attempts.forgive('mailDay', booker.email)])
  if (!startsAt) return { heldUntil: null, startsAt: null, provider: null, terms: null }
  return changeTime(scope, attempts, key, { providerId: wantedProviderId, startsAt })
}

/** `holdTime` for the page, within the limits of a network address. */
export async function changeTime(scope: Scope, attempts: Attempts, key: string, choice: Choice) {
  const [row] = await scope.db.select().from(bookingHolds).where(eq(bookingHolds.id, key))
  if (!isUnderWay(row, scope.now()) || !row.provenAt) return over
  return (await mayHold(scope, attempts, row)) ? holdTime(scope, key, choice) : tooMany
}

/** Counts the bookings of a network address that hold a time, and apart from these their further times and payments. */
export const mayHold = ({ origin }: Scope, attempts: Attempts, row: Row): Promise<boolean> =>
  attempts.consume(row.heldUntil === null ? 'bookingHold' : 'bookingChange', rateLimitKey(origin.address))

const checkCode = (scope: Scope, key: string, code: string) =>
  scope.db.transaction(async (tx) => {
    // Locked, so that simultaneous guesses are counted one by one.
    const row = await lock(tx, key)
    if (!isUnderWay(row, scope.now())) return over
    // The response to the right code may have been lost.
    if (row.provenAt) return row
    const isExpired = row.codeExpiresAt === null || row.codeExpiresAt <= scope.now()
    if (row.codeHash === null || isExpired || row.wrongTries >= bookingLimits.wrongTries) return refuse('INVALID_CODE')
    if (!isSentCode(scope.env, key, code, row.codeHash)) {
      await tx
        .update(bookingHolds)
        .set({ wrongTries: row.wrongTries + 1 })
        .where(eq(bookingHolds.id, key))
      return refuse('INVALID_CODE')
    }
    await tx.update(bookingHolds).set({ provenAt: scope.now(), codeHash: null }).where(eq(bookingHolds.id, key))
    return row
  })

/**
 * Holds a time for a booking whose address is proved, for `BOOKING_HOLD_MINUTES`; the one that it held before is free again. An address holds
 * one time at most. TAKEN: the visit is not possible at this time, and what was held stays. NOT_FOR_YOU and TOO_MANY_VISITS: only the practice can
 * book it for this patient. A time that was offered from the waiting list has no minimum notice, and its patient no limits.
 */
export async function holdTime(scope: Scope, key: string, choice: Choice) {
  // Most of those who come too late need not wait for the lock.
  if (!(await isFree(scope, key, choice))) return taken
  const { env, now } = scope
  const { providerId, startsAt } = choice
  const held = await withReservation(scope, async (tx, reserve) => {
    const row = await lock(tx, key)
    if (!isUnderWay(row, now()) || !row.provenAt) return over
    if (startsAt <= now()) return taken
    const type = await readOffer(tx, row.visitTypeId)
    if (!type || (providerId !== null && !type.providerIds.includes(providerId))) return taken
    const offered = row.offerId === null ? null : await patientOfOffer(tx, row.offerId)
    const isFromList = offered?.offeredAt.getTime() === startsAt.getTime()
    if (!isFromList && !isOffered(type, startsAt, now(), env.PRACTICE_TIME_ZONE)) return taken
    const { email } = row.booker
    // Two tabs of one address take turns.
    await lockEmails(tx, [email])
    const refused = row.offerId === null ? await problemOfPatient(tx, scope, type, email) : null
    if (refused) return refused
    const wanted = {
      id: key,
      visitTypeId: type.id,
      providerId,
      secondPersonId: null,
      roomId: null,
      startsAt,
      endsAt: minutesAfter(startsAt, type.minutes),
    }
    const chosen = await fillVisit(tx, scope, type, wanted, false)
    if (isRefusal(chosen)) return taken
    await reserve({ ...wanted, ...chosen })
    const heldUntil = endOfHold(scope, { expiresAt: row.expiresAt, startsAt })
    const { id: _, visitTypeId: __, ...times } = wanted
    await tx
      .update(bookingHolds)
      .set({ ...times, ...chosen, wantedProviderId: providerId, status: 'held', heldUntil })
      .where(eq(bookingHolds.id, key))
    const isOfSameAddress = eq(sql`lower(${bookingHolds.booker}->>'email')`, email.toLowerCase())
    await tx
      .update(bookingHolds)
      .set({ status: 'open' })
      .where(and(eq(bookingHolds.status, 'held'), ne(bookingHolds.id, key), isOfSameAddress))
    await enqueue(tx, releaseTime, { id: key }, `self-booking.release-time ${key}`, heldUntil)
    const terms = await termsFor(tx, scope, type, row)
    return { heldUntil, startsAt, provider: await nameOfProvider(tx, chosen.providerId), terms } satisfies HeldTime
  })
  return isRefusal(held) && held.refusal === 'OVERLAP' ? taken : held
}

/**
 * What a patient has to agree to and pay for a booking: as accepted, or as the visit type has it now. Null: nothing, also where the practice takes
 * no cards.
 */
export async function termsFor(tx: Db, scope: Scope, type: DepositRules, booking: UnderWay): Promise<VisitTerms | null> {
  const [accepted] = await tx.select().from(visitTerms).where(eq(visitTerms.id, booking.id))
  if (accepted) return acceptedTerms(accepted)
  return termsForPatient(
    tx,
    scope,
    type,
    (await patientsOf(tx, booking)).map(({ id }) => id),
  )
}

/** The records that may be the patient's: of those with the proved address, or the one to whom the time was offered. */
async function patientsOf(tx: Db, { offerId, booker }: UnderWay): Promise<readonly { id: string }[]> {
  if (offerId === null) return contactsByEmail(tx, booker.email)
  const patient = await patientOfOffer(tx, offerId)
  return patient ? [patient] : []
}

const acceptedTerms = ({ depositCents, keepsCard, lateFeeCents, noShowFeeCents, changeHours }: VisitTerms): VisitTerms => ({
  depositCents,
  keepsCard,
  lateFeeCents,
  noShowFeeCents,
  changeHours,
})

/** Why the patient with a proved address cannot book this visit; null: they can. */
export async function problemOfPatient(tx: Db, scope: Scope, { patients }: { patients: PatientKind }, email: string) {
  const known = await contactsByEmail(tx, email)
  if (patients !== 'all' && (patients === 'known') !== known.length > 0) return refuse('NOT_FOR_YOU')
  for (const { id } of known) if ((await upcomingVisits(tx, scope, id)) >= bookingLimits.upcoming) return refuse('TOO_MANY_VISITS')
  return null
}

/** Whether the time is free for a booking as far as can be seen. It may be taken a moment later; for a booking that is unknown or over it says nothing. */
async function isFree({ db, env }: Scope, key: string, { providerId, startsAt }: Choice): Promise<boolean> {
  const [row] = await db.select({ visitTypeId: bookingHolds.visitTypeId }).from(bookingHolds).where(eq(bookingHolds.id, key))
  const type = row && (await readOffer(db, row.visitTypeId))
  if (!type) return true
  const visit = visitNeeds(type, { minutes: type.minutes, providerId, except: key })
  return (await assignVisit(db, env.PRACTICE_TIME_ZONE, visit, startsAt, false)) !== null
}

/** Never beyond the time itself. */
const endOfHold = ({ env, now }: Scope, { expiresAt, startsAt }: Pick<Row, 'expiresAt' | 'startsAt'>): Date =>
  new Date(Math.min(minutesAfter(now(), env.BOOKING_HOLD_MINUTES).getTime(), expiresAt.getTime(), startsAt?.getTime() ?? Infinity))

/** Holds the time of a locked, held booking for the whole period once more. @returns until when. */
export async function keepHeld(tx: Db, scope: Scope, row: Row): Promise<Date> {
  const heldUntil = endOfHold(scope, row)
  await tx.update(bookingHolds).set({ heldUntil }).where(eq(bookingHolds.id, row.id))
  await enqueue(tx, releaseTime, { id: row.id }, `self-booking.release-time ${row.id}`, heldUntil)
  return heldUntil
}

/** Frees the time that a booking holds; the patient may take it again, or another one. One whose payment has begun keeps its time. */
export async function freeTime({ db }: Scope, key: string): Promise<true> {
  await db
    .update(bookingHolds)
    .set({ status: 'open' })
    .where(and(eq(bookingHolds.id, key), eq(bookingHolds.status, 'held'), hasNoPayment(db, key)))
  return true
}

const hasNoPayment = (db: Db, key: string) => notExists(db.select({ id: visitTerms.id }).from(visitTerms).where(eq(visitTerms.id, key)))

/**
 * Ends a booking that was not finished, and erases its personal data. One whose payment has begun ends by itself, because the payment may have gone
 * through.
 */
export async function leave({ db }: Scope, key: string): Promise<true> {
  await db
    .update(bookingHolds)
    .set({ status: 'over', booker: null, codeHash: null })
    .where(and(eq(bookingHolds.id, key), ne(bookingHolds.status, 'booked'), hasNoPayment(db, key)))
  return true
}
