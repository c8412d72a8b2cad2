import { and, eq, gt, inArray, isNotNull, lt } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { openSigned, sign } from '../../kernel/seal.ts'
import { sendBookedForms } from '../../chart/forms/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { lockNumber, preferredNumber } from '../../messages/inbox/service.ts'
import type { Attempts } from '../../platform/auth/service.ts'
import { linkPath } from '../appointments/link-rules.ts'
import { bookForPatient, linkTokenOf, nameOfProvider, notifiedDetails, termsForPatient } from '../appointments/service.ts'
import { appointments } from '../appointments/table.ts'
import { assignVisit, getVisitType, readVisitType, visitNeeds } from '../availability/service.ts'
import { formatMoment } from '../reservations/rules.ts'
import type { VisitType } from '../availability/contract.ts'
import { withReservation } from '../reservations/service.ts'
import { timeHolds } from '../reservations/table.ts'
import { bookingHolds } from '../self-booking/table.ts'
import { waitingMessages, type OfferedTime } from './contract.ts'
import type { OfferStatus, ShownState } from './rules.ts'
import { sendOffer } from './send.ts'
import { waitingOffers, waitingEntries } from './table.ts'
import { announceEntry, endEntry, getEntry, lockEntry, noteFor, writeEntry, type EntryRow } from './entries.ts'

type OfferRow = typeof waitingOffers.$inferSelect

const purpose = 'waiting offer'

interface NewOffer {
  id: string
  /** Null: the entry's, or anyone. */
  providerId: string | null
  startsAt: Date
}

/**
 * Offers a time to a patient who waits, by text or email. The time is not held: of several patients the first who says yes gets it. GONE: the
 * visit is not possible then. OPEN_OFFER: the patient still decides about another time. UNREACHABLE: no message can be sent.
 */
export const makeOffer = (scope: Scope, { id, providerId, startsAt }: NewOffer) =>
  scope.db.transaction(async (tx) => {
    const { env, now } = scope
    const [known] = await tx.select({ contactId: waitingEntries.contactId }).from(waitingEntries).where(eq(waitingEntries.id, id))
    // Before the patient is locked, in the order of a text that arrives.
    const number = known ? await preferredNumber(tx, scope, known.contactId) : null
    if (number !== null) await lockNumber(tx, number)
    const entry = await lockEntry(tx, id)
    if (!entry) return null
    if (entry.status !== 'waiting') return refuse('NOT_WAITING')
    const [open] = await tx
      .select()
      .from(waitingOffers)
      .where(and(eq(waitingOffers.entryId, id), eq(waitingOffers.status, 'open')))
      .for('update')
    const ended = open ? await endOf(tx, scope, open, entry.visitTypeId) : null
    if (open && !ended) return refuse('OPEN_OFFER')
    if (open && ended) await closeOffer(tx, open, ended)
    const type = await readVisitType(tx, entry.visitTypeId)
    if (!type) return refuse('GONE')
    const wanted = providerId ?? entry.providerId
    if (wanted !== null && !type.providerIds.includes(wanted)) return invalidReference({ providerId: waitingMessages.notTheirVisit })
    const chosen =
      startsAt > now() &&
      (await assignVisit(tx, env.PRACTICE_TIME_ZONE, visitNeeds(type, { minutes: type.minutes, providerId: wanted }), startsAt, false))
    if (!chosen) return refuse('GONE')
    const offerId = uuidv7()
    const expiresAt = new Date(Math.min(now().getTime() + env.WAITING_LIST_MINUTES * 60_000, startsAt.getTime()))
    const details = await notifiedDetails(tx, env, { startsAt, ...chosen })
    const terms = await termsOfOffer(tx, scope, type, entry.contactId)
    const sent = await sendOffer(tx, scope, {
      contactId: entry.contactId,
      number,
      details,
      visit: type,
      depositCents: terms && terms.depositCents,
      expiresAt,
      token: sign(env, purpose, offerId),
    })
    if (isRefusal(sent)) return sent
    await tx.insert(waitingOffers).values({
      id: offerId,
      entryId: id,
      providerId: chosen.providerId,
      startsAt,
      endsAt: new Date(startsAt.getTime() + type.minutes * 60_000),
      expiresAt,
      messageId: sent.id,
      createdBy: scope.actor?.id ?? null,
      createdAt: now(),
    })
    const provider = await nameOfProvider(tx, chosen.providerId)
    await noteFor(
      tx,
      scope,
      entry,
      `Offered ${formatMoment(startsAt, env.PRACTICE_TIME_ZONE)}${provider ? ` with ${provider}` : ''} from the waiting list: ${type.name}`,
    )
    await announceEntry(tx, id)
    return getEntry(tx, id)
  })

/** Whether the visit that is offered can still take place then. `held`: it can, unless another patient who is booking the time just now finishes. */
async function readTime(db: Db, { env, now }: Scope, offer: OfferRow, visitTypeId: string): Promise<'free' | 'held' | 'taken'> {
  const { startsAt, endsAt, providerId } = offer
  const type = startsAt > now() ? await readVisitType(db, visitTypeId) : null
  if (!type) return 'taken'
  const minutes = (endsAt.getTime() - startsAt.getTime()) / 60_000
  if (await assignVisit(db, env.PRACTICE_TIME_ZONE, visitNeeds(type, { minutes, providerId }), startsAt, false)) return 'free'
  if (providerId === null) return 'taken'
  const from = new Date(startsAt.getTime() - type.bufferBefore * 60_000)
  const to = new Date(endsAt.getTime() + type.bufferAfter * 60_000)
  const ofProvider = and(eq(timeHolds.what, 'provider'), eq(timeHolds.resourceId, providerId))
  const busy = await db
    .select({ bookingHoldId: timeHolds.bookingHoldId })
    .from(timeHolds)
    .where(and(ofProvider, lt(timeHolds.startsAt, to), gt(timeHolds.endsAt, from)))
  return busy.length > 0 && busy.every(({ bookingHoldId }) => bookingHoldId !== null) ? 'held' : 'taken'
}

/** Closes an open offer. */
async function closeOffer(tx: Db, offer: Pick<OfferRow, 'id' | 'entryId'>, status: OfferStatus): Promise<void> {
  const open = and(eq(waitingOffers.id, offer.id), eq(waitingOffers.status, 'open'))
  const closed = await tx.update(waitingOffers).set({ status }).where(open).returning({ id: waitingOffers.id })
  if (closed.length > 0) await announceEntry(tx, offer.entryId)
}

/** An offer, locked after its entry and patient; null: the link is wrong, or the patient was deleted. */
async function lockOffer(tx: Db, id: string): Promise<{ offer: OfferRow; entry: EntryRow } | null> {
  const [unlocked] = await tx.select({ entryId: waitingOffers.entryId }).from(waitingOffers).where(eq(waitingOffers.id, id))
  const entry = unlocked ? await lockEntry(tx, unlocked.entryId) : null
  const [offer] = entry ? await tx.select().from(waitingOffers).where(eq(waitingOffers.id, id)).for('update') : []
  return entry && offer ? { offer, entry } : null
}

/**
 * What the patient has to agree to and pay for an offered visit, as if they booked it themselves; null: nothing, also for a patient without an email
 * address, which the receipt needs.
 */
async function termsOfOffer(tx: Db, scope: Scope, type: VisitType, contactId: string) {
  const hasAddress = and(eq(contacts.id, contactId), isNotNull(contacts.email))
  return type.isOnline && (await tx.$count(contacts, hasAddress)) > 0 ? termsForPatient(tx, scope, type, [contactId]) : null
}

/** The booking by which the patient accepts an offer with a deposit, while it is under way; null: none is. */
async function bookingOf(db: Db, { now }: Scope, { id }: Pick<OfferRow, 'id'>) {
  const isUnderWay = and(inArray(bookingHolds.status, ['open', 'held']), gt(bookingHolds.expiresAt, now()))
  const [found] = await db
    .select({ status: bookingHolds.status })
    .from(bookingHolds)
    .where(and(eq(bookingHolds.offerId, id), isUnderWay))
  return found ?? null
}

/**
 * How an open offer has ended; null: it has not. One that the patient is booking does not expire, and is over only if the time was taken while they did not
 * hold it.
 */
async function endOf(db: Db, scope: Scope, offer: OfferRow, visitTypeId: string): Promise<'expired' | 'gone' | null> {
  if (offer.status !== 'open') return null
  const booking = await bookingOf(db, scope, offer)
  if (booking?.status === 'held') return null
  if (!booking && offer.expiresAt <= scope.now()) return 'expired'
  return (await readTime(db, scope, offer, visitTypeId)) === 'taken' ? 'gone' : null
}

/** Closes an open offer that no one answered in time or whose time was taken. */
export async function settleOffer(scope: Scope, offer: OfferRow, visitTypeId: string): Promise<void> {
  if (!(await endOf(scope.db, scope, offer, visitTypeId))) return
  await transact(scope.db, async (tx) => {
    // Locked, because the patient may begin to book it at this moment.
    const locked = await lockOffer(tx, offer.id)
    const status = locked && (await endOf(tx, scope, locked.offer, visitTypeId))
    if (status) await closeOffer(tx, locked.offer, status)
  })
}

/** The offer of a link, locked after its entry and patient; null: the link is wrong, the patient was deleted, or the offer has ended. */
export async function lockOpenOffer(tx: Db, scope: Scope, token: string) {
  const id = idOf(scope, token)
  const locked = id === null ? null : await lockOffer(tx, id)
  if (locked?.offer.status !== 'open') return null
  return locked.offer.expiresAt > scope.now() || (await bookingOf(tx, scope, locked.offer)) ? locked : null
}

/** The patient to whom a time was offered, and the time; null: they were deleted. */
export async function patientOfOffer(tx: Db, offerId: string) {
  const { id, firstName, lastName, email } = contacts
  const [found] = await tx
    .select({ id, firstName, lastName, email, offeredAt: waitingOffers.startsAt })
    .from(waitingOffers)
    .innerJoin(waitingEntries, eq(waitingEntries.id, waitingOffers.entryId))
    .innerJoin(contacts, eq(contacts.id, waitingEntries.contactId))
    .where(eq(waitingOffers.id, offerId))
  return found ?? null
}

/**
 * Records that the patient booked on the booking page what they were offered. A visit that is paid is booked also if the offer has ended since, or at
 * another time if the offered one was gone.
 */
export async function recordBooked(tx: Db, scope: Scope, offerId: string, visit: { id: string; startsAt: Date }): Promise<void> {
  const locked = await lockOffer(tx, offerId)
  if (!locked) return
  const { offer, entry } = locked
  const isOffered = visit.startsAt.getTime() === offer.startsAt.getTime()
  await tx
    .update(waitingOffers)
    .set({ status: 'gone' })
    .where(and(eq(waitingOffers.entryId, entry.id), eq(waitingOffers.status, 'open')))
  if (isOffered) await tx.update(waitingOffers).set({ status: 'accepted' }).where(eq(waitingOffers.id, offer.id))
  if (entry.status === 'waiting') await writeEntry(tx, scope, entry, { status: 'booked', appointmentId: visit.id })
}

const mayAsk = ({ origin }: Scope, attempts: Attempts) => attempts.consume('appointmentLink', rateLimitKey(origin.address))
const idOf = ({ env }: Scope, token: string) => openSigned(env, purpose, token)

/** Shows what is offered. Changes nothing, because programs open links too. Null: the link is wrong. */
export async function viewOffer(scope: Scope, attempts: Attempts, token: string) {
  if (!(await mayAsk(scope, attempts))) return refuse('TOO_MANY_REQUESTS')
  const id = idOf(scope, token)
  return id === null ? null : showOffer(scope, id)
}

/**
 * Books the offered time, once. A visit with a deposit stays offered: it is booked on the booking page. The constraint that refuses overlaps decides
 * whether the time is still free, so of several patients who say yes at once one gets it, and the others read that it is gone.
 */
export async function acceptOffer(scope: Scope, attempts: Attempts, token: string) {
  if (!(await mayAsk(scope, attempts))) return refuse('TOO_MANY_REQUESTS')
  const id = idOf(scope, token)
  if (id === null) return null
  const done = await withReservation(scope, async (tx, reserve) => {
    const locked = await lockOffer(tx, id)
    if (!locked) return null
    const { offer, entry } = locked
    if (offer.status !== 'open' || offer.expiresAt <= scope.now()) return true
    const type = await getVisitType(tx, entry.visitTypeId)
    if (!type?.isActive) return refuse('GONE')
    if (await termsOfOffer(tx, scope, type, entry.contactId)) return true
    const booked = await bookForPatient(tx, reserve, scope, {
      contactId: entry.contactId,
      type: type.type,
      visitTypeId: type.id,
      providerId: offer.providerId,
      roomId: null,
      secondPersonId: null,
      startsAt: offer.startsAt,
      minutes: (offer.endsAt.getTime() - offer.startsAt.getTime()) / 60_000,
      notes: entry.note,
      notifiesPatient: true,
      outsideHours: false,
      idempotencyKey: offer.id,
    })
    if (isRefusal(booked)) return refuse('GONE')
    const email = (await patientOfOffer(tx, offer.id))?.email ?? ''
    await sendBookedForms(tx, scope, { contactId: entry.contactId, templateIds: type.formIds, email })
    await closeOffer(tx, offer, 'accepted')
    await writeEntry(tx, scope, entry, { status: 'booked', appointmentId: booked.id })
    return true
  })
  if (done === null) return null
  if (isRefusal(done)) {
    const [found] = await scope.db
      .select({ offer: waitingOffers, visitTypeId: waitingEntries.visitTypeId })
      .from(waitingOffers)
      .innerJoin(waitingEntries, eq(waitingEntries.id, waitingOffers.entryId))
      .where(eq(waitingOffers.id, id))
    if (found && (await readTime(scope.db, scope, found.offer, found.visitTypeId)) !== 'held')
      await closeOffer(scope.db, found.offer, 'gone')
  }
  return showOffer(scope, id)
}

/** Declines the offered time. `stops`: takes the patient off the list too. */
export async function declineOffer(scope: Scope, attempts: Attempts, { token, stops }: { token: string; stops: boolean }) {
  if (!(await mayAsk(scope, attempts))) return refuse('TOO_MANY_REQUESTS')
  const id = idOf(scope, token)
  if (id === null) return null
  const found = await scope.db.transaction(async (tx) => {
    const locked = await lockOffer(tx, id)
    if (!locked) return false
    const { offer, entry } = locked
    if (offer.status === 'open') {
      await closeOffer(tx, offer, 'declined')
      await noteFor(tx, scope, entry, `Declined ${formatMoment(offer.startsAt, scope.env.PRACTICE_TIME_ZONE)} from the waiting list`)
    }
    if (stops && entry.status === 'waiting') await endEntry(tx, scope, entry, ' by the patient')
    return true
  })
  return found ? showOffer(scope, id) : null
}

const stateOfTime = { free: 'open', held: 'held', taken: 'gone' } as const

/** What a link shows; null: the offer does not exist. */
const showOffer = (scope: Scope, id: string): Promise<OfferedTime | null> =>
  scope.db.transaction(async (tx) => {
    const [found] = await tx
      .select({ offer: waitingOffers, entry: waitingEntries, firstName: contacts.firstName })
      .from(waitingOffers)
      .innerJoin(waitingEntries, eq(waitingEntries.id, waitingOffers.entryId))
      .innerJoin(contacts, eq(contacts.id, waitingEntries.contactId))
      .where(eq(waitingOffers.id, id))
    const type = found && (await getVisitType(tx, found.entry.visitTypeId))
    if (!found || !type) return null
    const { offer, entry, firstName } = found
    await scope.recordView({ kind: 'waiting list', contactIds: [entry.contactId] })
    const isUndecided = offer.status === 'open' && (await bookingOf(tx, scope, offer))?.status !== 'held'
    const time = isUndecided && offer.expiresAt > scope.now() ? await readTime(tx, scope, offer, type.id) : null
    const state: ShownState = !isUndecided ? offer.status : time === null ? 'expired' : stateOfTime[time]
    const terms = state === 'open' ? await termsOfOffer(tx, scope, type, entry.contactId) : null
    const [visit] =
      state === 'accepted' && entry.appointmentId
        ? await tx.select().from(appointments).where(eq(appointments.id, entry.appointmentId))
        : []
    const where = visit ?? { ...offer, roomId: null }
    return {
      state,
      firstName,
      visit: type.name,
      visitFr: type.nameFr,
      minutes: (offer.endsAt.getTime() - offer.startsAt.getTime()) / 60_000,
      startsAt: offer.startsAt,
      provider: await nameOfProvider(tx, offer.providerId),
      place: (await notifiedDetails(tx, scope.env, where)).place,
      expiresAt: offer.expiresAt,
      depositCents: terms && terms.depositCents,
      link: visit && visit.startsAt.getTime() === offer.startsAt.getTime() ? `${linkPath}/${await linkTokenOf(tx, scope, visit)}` : null,
      isWaiting: entry.status === 'waiting',
      bookableId: type.isActive && type.isOnline ? type.id : null,
    }
  })
