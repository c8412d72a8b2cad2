import { and, count, desc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { isRefusal, type Refusal, refuse } from '../../../kernel/refusal.ts'
import { rateLimitKey } from '../../../kernel/http/requests.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { transact } from '../../../kernel/postgres/transact.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import type { Attempts } from '../../../platform/auth/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { addInteraction } from '../../../crm/interactions/service.ts'
import { practiceHours } from '../../../platform/practice/table.ts'
import { addTask, appendToTask, assigneesFor } from '../../../crm/tasks/service.ts'
import { isOffered, openingsForPatients, readOffer } from '../../availability/service.ts'
import { formatMoment } from '../../reservations/rules.ts'
import { withReservation } from '../../reservations/service.ts'
import { writeStatus } from '../booking/change.ts'
import { fillVisit } from '../booking/check.ts'
import { announceAppointment, bookings, type Locked, type Row } from '../bookings.ts'
import { updatePatientRecord, withNames } from '../booking/update-record.ts'
import type { LinkedAppointment } from '../link-contract.ts'
import { linkState, weekdayNames, type RescheduleRequest, formatRescheduleRequest } from '../link-rules.ts'
import { findLink, linkTokenOf } from './link-tokens.ts'
import { nameOfProvider, notifiedDetails } from '../emails/emails.ts'
import { appointmentRequests, appointments } from '../table.ts'
import { describeChange, describeStatus, rescheduleTitle } from '../labels.ts'
import { changePolicyOf, moneyLines } from '../terms.ts'

const tooMany = refuse('TOO_MANY_REQUESTS')
const tooLate = refuse('TOO_LATE')
const taken = refuse('TAKEN')

/** What a patient asks for, with a key for which there is one request. */
export type KeyedRequest = RescheduleRequest & { key: string }

/** What an email link shows. Null if the link is unknown or expired, without saying which. */
export async function viewLink(scope: Scope, attempts: Attempts, token: string) {
  if (!(await isWithinLimit(scope, attempts))) return tooMany
  const link = await findLink(scope.db, token)
  const [row] = link ? await scope.db.select().from(appointments).where(eq(appointments.id, link.appointmentId)) : []
  if (!link || !row) return null
  const shown = await toLinkedAppointment(scope.db, scope, row, link.startsAt)
  if (shown) await scope.recordView({ kind: 'appointment', contactIds: [row.contactId] })
  return shown
}

/** Confirms the appointment for the patient. NOT_POSSIBLE: it was moved or cancelled. */
export function confirmByLink(scope: Scope, attempts: Attempts, token: string) {
  return withLinkedAppointment(scope, attempts, token, (tx, locked) => confirmForPatient(tx, scope, locked))
}

/** Confirms a locked appointment, once. */
export async function confirmForPatient(tx: Db, scope: Scope, locked: Locked): Promise<undefined> {
  const { row: before } = locked
  if (before.status !== 'booked') return
  const row = await bookings.write(tx, scope, before, { ...before, status: 'confirmed' })
  const description = describeStatus(await withNames(tx, row), 'confirmed', null, scope.env.PRACTICE_TIME_ZONE, ' by the patient')
  await updatePatientRecord(tx, scope, { ...locked, row }, { description })
}

/**
 * Records a reschedule request. The patient's sales rep, or the person who booked, gets a task due today. The appointment stays as it is. Further
 * requests about the same time are added to the task while it is open.
 */
export function requestByLink(scope: Scope, attempts: Attempts, token: string, request: KeyedRequest) {
  return withLinkedAppointment(scope, attempts, token, (tx, locked) => requestForPatient(tx, scope, locked, request))
}

/** Records a reschedule request for a locked appointment, as above. */
export async function requestForPatient(tx: Db, scope: Scope, { row, contact }: Locked, { key, ...request }: KeyedRequest) {
  const [existing] = await tx.select({ id: appointmentRequests.id }).from(appointmentRequests).where(eq(appointmentRequests.id, key))
  if (existing) return undefined
  if ((await countRequestsSince(tx, row.id, new Date(scope.now().getTime() - 86_400_000))) >= maxPerDay) return tooMany
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  const openTaskId = await latestTaskOf(tx, row)
  const addition = `Asked again on ${formatMoment(scope.now(), zone)}:\n${formatRescheduleRequest(request)}`
  const taskId =
    openTaskId !== null && (await appendToTask(tx, scope, openTaskId, addition))
      ? openTaskId
      : await addTask(tx, scope, {
          title: rescheduleTitle(row, zone),
          description: `${formatRescheduleRequest(request)}\n\nThe appointment stays as it is until you move it.`,
          type: 'Call',
          dueDate: dayAt(scope.now(), zone),
          contactId: contact.id,
          people: await assigneesFor(tx, [contact.assignedSalesRepId, row.createdBy]),
        })
  await tx.insert(appointmentRequests).values({
    id: key,
    appointmentId: row.id,
    startsAt: row.startsAt,
    weekdays: [...new Set(request.weekdays)],
    dayParts: [...new Set(request.dayParts)],
    words: request.words,
    taskId,
    createdAt: scope.now(),
  })
  const description = `The patient asked to reschedule from ${formatMoment(row.startsAt, zone)}\n\n${formatRescheduleRequest(request)}`
  await addInteraction(tx, scope, { contactId: contact.id, type: 'meeting', description, metadata: { appointmentId: row.id } })
  await recordChange(tx, scope, {
    action: 'created',
    kind: 'appointment-request',
    contactIds: [contact.id],
    after: { id: key, appointmentId: row.id },
  })
  await announceAppointment(tx, row.id)
  return undefined
}

interface Cancellation {
  reason: string | null
  /** The fee that the patient was shown, in cents. */
  feeCents: number
}

/**
 * Cancels the appointment for the patient. Later than its terms allow at no charge, the patient has to have seen the fee: FEE has the right one. TOO_LATE:
 * without terms, it may no longer be changed by patients, or never.
 */
export function cancelByLink(scope: Scope, attempts: Attempts, token: string, { reason, feeCents }: Cancellation) {
  return withLinkedAppointment(scope, attempts, token, async (tx, locked) => {
    const { money, until } = await changePolicyOf(tx, locked.row)
    if (until === null || (scope.now() > until && !money)) return tooLate
    const due = scope.now() > until ? money!.lateFeeCents : 0
    if (feeCents !== due) return refuse('FEE', { feeCents: due })
    await writeStatus(tx, scope, locked, { status: 'cancelled', reason: reason ?? 'Cancelled online', isByPatient: true })
    return undefined
  })
}

/** The appointment behind a link, and its state. Null: the link is unknown or expired. */
export async function readLinked({ db, now }: Scope, token: string) {
  const link = await findLink(db, token)
  const [row] = link ? await db.select().from(appointments).where(eq(appointments.id, link.appointmentId)) : []
  const state = link && row && linkState(now(), link.startsAt, row)
  return row && state ? { row, state } : null
}

/** The times to which the patient may move it, with the same provider. */
export async function openingsByLink(scope: Scope, attempts: Attempts, token: string, days: { from: string; days: number }) {
  if (!(await isWithinLimit(scope, attempts))) return tooMany
  const found = await readLinked(scope, token)
  if (!found) return null
  const { row, state } = found
  if (state === 'moved' || state === 'cancelled') return refuse('NOT_POSSIBLE')
  const type = (await isChangeable(scope.db, scope, row)) && (await readOffer(scope.db, row.visitTypeId!))
  if (!type) return tooLate
  const openings = await openingsForPatients(scope, type, { ...days, providerId: row.providerId, except: row.id })
  const isOther = (start: Date) => start.getTime() !== row.startsAt.getTime()
  return { ...openings, days: openings.days.map(({ day, starts }) => ({ day, starts: starts.filter(isOther) })) }
}

/**
 * Moves the appointment for the patient, with the same provider. Returns its new link, since the old one names the time before. TOO_LATE as above;
 * TAKEN: it is not possible at this time.
 */
export async function moveByLink(scope: Scope, attempts: Attempts, token: string, startsAt: Date) {
  if (!(await isWithinLimit(scope, attempts))) return tooMany
  const moved = await withReservation(scope, async (tx, reserve) => {
    const link = await findLink(tx, token)
    const locked = link && (await bookings.lock(tx, link.appointmentId))
    const state = locked && linkState(scope.now(), link.startsAt, locked.row)
    if (!locked || !state) return null
    if (state === 'moved' || state === 'cancelled') return refuse('NOT_POSSIBLE')
    const { row: before } = locked
    const type = (await isChangeable(tx, scope, before)) && (await readOffer(tx, before.visitTypeId!))
    if (!type) return tooLate
    if (startsAt.getTime() === before.startsAt.getTime()) return taken
    if (!isOffered(type, startsAt, scope.now(), scope.env.PRACTICE_TIME_ZONE)) return taken
    const endsAt = new Date(startsAt.getTime() + before.endsAt.getTime() - before.startsAt.getTime())
    const chosen = await fillVisit(tx, scope, type, { ...before, secondPersonId: null, roomId: null, startsAt, endsAt }, false)
    if (isRefusal(chosen)) return taken
    const wanted = { ...before, ...chosen, startsAt, endsAt }
    await reserve(wanted)
    const row = await bookings.write(tx, scope, before, wanted)
    const description = describeChange(await withNames(tx, before), await withNames(tx, row), scope.env.PRACTICE_TIME_ZONE)
    await updatePatientRecord(
      tx,
      scope,
      { ...locked, row },
      { previousStart: before.startsAt, description: description && `${description}, by the patient` },
    )
    return { token: await linkTokenOf(tx, scope, row), startsAt }
  })
  return isRefusal(moved) && moved.refusal === 'OVERLAP' ? taken : moved
}

async function isChangeable(db: Db, { now }: Scope, row: Row): Promise<boolean> {
  const { until } = await changePolicyOf(db, row)
  return until !== null && now() <= until
}

/** Runs `work` on the appointment behind a link, locked, if it is still upcoming at the emailed time. */
async function withLinkedAppointment<Refused extends Refusal<string, unknown>>(
  scope: Scope,
  attempts: Attempts,
  token: string,
  work: (tx: Db, locked: Locked) => Promise<Refused | undefined>,
) {
  if (!(await isWithinLimit(scope, attempts))) return tooMany
  return transact(scope.db, async (tx) => {
    const link = await findLink(tx, token)
    const locked = link && (await bookings.lock(tx, link.appointmentId))
    const state = locked && linkState(scope.now(), link.startsAt, locked.row)
    if (!locked || !state) return null
    if (state === 'moved' || state === 'cancelled') return refuse('NOT_POSSIBLE')
    const refused = await work(tx, locked)
    if (refused) return refused
    const [row] = await tx.select().from(appointments).where(eq(appointments.id, locked.row.id))
    return toLinkedAppointment(tx, scope, row!, link.startsAt)
  })
}

/** Reschedule requests per appointment and day. */
const maxPerDay = 5

async function countRequestsSince(tx: Db, appointmentId: string, since: Date): Promise<number> {
  const [counted] = await tx
    .select({ total: count() })
    .from(appointmentRequests)
    .where(and(eq(appointmentRequests.appointmentId, appointmentId), gt(appointmentRequests.createdAt, since)))
  return counted!.total
}

/** The task of the latest request about the current time, or null. */
async function latestTaskOf(tx: Db, { id, startsAt }: Row): Promise<string | null> {
  const [last] = await tx
    .select({ taskId: appointmentRequests.taskId })
    .from(appointmentRequests)
    .where(and(eq(appointmentRequests.appointmentId, id), eq(appointmentRequests.startsAt, startsAt)))
    .orderBy(desc(appointmentRequests.createdAt))
    .limit(1)
  return last?.taskId ?? null
}

export const isWithinLimit = (scope: Scope, attempts: Attempts): Promise<boolean> =>
  attempts.consume('appointmentLink', rateLimitKey(scope.origin.address))

async function toLinkedAppointment(db: Db, scope: Scope, row: Row, mailedFor: Date): Promise<LinkedAppointment | null> {
  const state = linkState(scope.now(), mailedFor, row)
  if (!state) return null
  const startsAt = state === 'cancelled' ? mailedFor : row.startsAt
  const { place, providerId } = await notifiedDetails(db, scope.env, row)
  const [lastRequest] = await db
    .select({ at: appointmentRequests.createdAt })
    .from(appointmentRequests)
    .where(and(eq(appointmentRequests.appointmentId, row.id), eq(appointmentRequests.startsAt, startsAt)))
    .orderBy(desc(appointmentRequests.createdAt))
    .limit(1)
  const [contact] = await db.select({ firstName: contacts.firstName }).from(contacts).where(eq(contacts.id, row.contactId))
  const { money, until } = await changePolicyOf(db, row)
  const isOff = state === 'cancelled'
  const offered = row.visitTypeId === null ? null : await readOffer(db, row.visitTypeId)
  const minutes = (row.endsAt.getTime() - row.startsAt.getTime()) / 60_000
  return {
    state,
    firstName: contact?.firstName ?? '',
    startsAt,
    provider: await nameOfProvider(db, providerId),
    place,
    visit: offered && { name: offered.name, nameFr: offered.nameFr, minutes },
    askedAt: lastRequest?.at ?? null,
    openDays: await openDays(db),
    changeableUntil: until,
    terms: money,
    moneyLines: { en: isOff ? await moneyLines(db, row, 'en') : [], fr: isOff ? await moneyLines(db, row, 'fr') : [] },
    bookAgainId: isOff ? (offered?.id ?? null) : null,
  }
}

/** The days of the week on which the practice is open, 1 (Monday) to 7; all days if no hours are set. */
export async function openDays(db: Db): Promise<number[]> {
  const days = await db.select({ weekday: practiceHours.weekday }).from(practiceHours).orderBy(practiceHours.weekday)
  return days.length > 0 ? days.map(({ weekday }) => weekday) : weekdayNames.map((_, index) => index + 1)
}
