import { and, asc, count, desc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { countedAs } from '../../../kernel/http/requests.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { transact } from '../../../kernel/postgres/transact.ts'
import { dayAt } from '../../../shared/zoned-time.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import type { Attempts } from '../../../platform/auth/service.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { addInteraction } from '../../../crm/interactions/service.ts'
import { practiceHours } from '../../../platform/practice/table.ts'
import { addTask, addToTask } from '../../../crm/tasks/service.ts'
import { formatMoment } from '../../reservations/rules.ts'
import { announceAppointment, bookings, type Locked, type Row } from '../bookings.ts'
import { follow, named } from '../follow.ts'
import type { LinkedAppointment } from '../link-contract.ts'
import { linkState, weekdayNames, type Wish, formatWish } from '../link-rules.ts'
import { findLink } from './link-tokens.ts'
import { nameOfProvider, tellable } from '../mails.ts'
import { appointmentRequests, appointments } from '../table.ts'
import { askedTitle, describeStatus } from '../labels.ts'

const tooMany = refuse('TOO_MANY_REQUESTS')

/** What the link of a mail shows. Null: it is no one's, or good for nothing any more; which of them is not said. */
export async function viewLink(scope: Scope, attempts: Attempts, token: string) {
  if (!(await isWithin(scope, attempts))) return tooMany
  const link = await findLink(scope.db, token)
  const [row] = link ? await scope.db.select().from(appointments).where(eq(appointments.id, link.appointmentId)) : []
  if (!link || !row) return null
  const shown = await show(scope.db, scope, row, link.startsAt)
  if (shown) await scope.recordView({ kind: 'appointment', contactIds: [row.contactId] })
  return shown
}

/** The patient says that they will come. NOT_POSSIBLE: it was moved, cancelled, or they are here. */
export function confirmByLink(scope: Scope, attempts: Attempts, token: string) {
  return byLink(scope, attempts, token, async (tx, locked) => {
    const { row: before } = locked
    if (before.status !== 'booked') return undefined
    const row = await bookings.write(tx, scope, before, { ...before, status: 'confirmed' })
    const description = `${describeStatus(await named(tx, row), 'confirmed', null, scope.env.PRACTICE_TIME_ZONE)} by the patient`
    await follow(tx, scope, { ...locked, row }, { description })
    return undefined
  })
}

/**
 * The patient needs another time: anyone who looks after them has a task, due today, which reminds them as every task does. The appointment stays.
 * While that task is open, what else they ask of the same time is added to it.
 */
export function askByLink(scope: Scope, attempts: Attempts, token: string, { key, ...wish }: Wish & { key: string }) {
  return byLink(scope, attempts, token, async (tx, { row, contact }) => {
    const [known] = await tx.select({ id: appointmentRequests.id }).from(appointmentRequests).where(eq(appointmentRequests.id, key))
    if (known) return undefined
    if ((await askedSince(tx, row.id, new Date(scope.now().getTime() - 86_400_000))) >= maxPerDay) return tooMany
    const { PRACTICE_TIME_ZONE: zone } = scope.env
    const askedBefore = await lastTaskOf(tx, row)
    const again = `Asked again on ${formatMoment(scope.now(), zone)}:\n${formatWish(wish)}`
    const taskId =
      askedBefore !== null && (await addToTask(tx, scope, askedBefore, again))
        ? askedBefore
        : await addTask(tx, scope, {
            title: askedTitle(row, zone),
            description: `${formatWish(wish)}\n\nThe appointment stays as it is until you move it.`,
            type: 'Call',
            dueDate: dayAt(scope.now(), zone),
            contactId: contact.id,
            people: await whoAnswers(tx, [contact.assignedSalesRepId, row.createdBy]),
          })
    await tx.insert(appointmentRequests).values({
      id: key,
      appointmentId: row.id,
      startsAt: row.startsAt,
      weekdays: [...new Set(wish.weekdays)],
      dayParts: [...new Set(wish.dayParts)],
      words: wish.words,
      taskId,
      createdAt: scope.now(),
    })
    const description = `The patient asks for another time than ${formatMoment(row.startsAt, zone)}\n\n${formatWish(wish)}`
    await addInteraction(tx, scope, { contactId: contact.id, type: 'meeting', description, metadata: { appointmentId: row.id } })
    await recordChange(tx, scope, {
      action: 'created',
      kind: 'appointment-request',
      contactIds: [contact.id],
      after: { id: key, appointmentId: row.id },
    })
    await announceAppointment(tx, row.id)
    return undefined
  })
}

/** Does something with the appointment behind a link, which is locked and still to come. */
async function byLink(
  scope: Scope,
  attempts: Attempts,
  token: string,
  work: (tx: Db, locked: Locked) => Promise<typeof tooMany | undefined>,
) {
  if (!(await isWithin(scope, attempts))) return tooMany
  return transact(scope.db, async (tx) => {
    const link = await findLink(tx, token)
    const locked = link && (await bookings.lock(tx, link.appointmentId))
    const state = locked && linkState(scope.now(), link.startsAt, locked.row)
    if (!locked || !state) return null
    if (state === 'moved' || state === 'cancelled') return refuse('NOT_POSSIBLE')
    const refused = await work(tx, locked)
    if (refused) return refused
    const [row] = await tx.select().from(appointments).where(eq(appointments.id, locked.row.id))
    return show(tx, scope, row!, link.startsAt)
  })
}

/** Of one appointment; more say nothing new. */
const maxPerDay = 5

async function askedSince(tx: Db, appointmentId: string, since: Date): Promise<number> {
  const [counted] = await tx
    .select({ asked: count() })
    .from(appointmentRequests)
    .where(and(eq(appointmentRequests.appointmentId, appointmentId), gt(appointmentRequests.createdAt, since)))
  return counted!.asked
}

/** The task of the person who asked last for another time than this; null: no one has. */
async function lastTaskOf(tx: Db, { id, startsAt }: Row): Promise<string | null> {
  const [last] = await tx
    .select({ taskId: appointmentRequests.taskId })
    .from(appointmentRequests)
    .where(and(eq(appointmentRequests.appointmentId, id), eq(appointmentRequests.startsAt, startsAt)))
    .orderBy(desc(appointmentRequests.createdAt))
    .limit(1)
  return last?.taskId ?? null
}

const isWithin = (scope: Scope, attempts: Attempts): Promise<boolean> =>
  attempts.consume('appointmentLink', countedAs(scope.origin.address))

async function show(db: Db, scope: Scope, row: Row, mailedFor: Date): Promise<LinkedAppointment | null> {
  const state = linkState(scope.now(), mailedFor, row)
  if (!state) return null
  const startsAt = state === 'cancelled' ? mailedFor : row.startsAt
  const { place, providerId } = await tellable(db, scope.env, row)
  const [asked] = await db
    .select({ at: appointmentRequests.createdAt })
    .from(appointmentRequests)
    .where(and(eq(appointmentRequests.appointmentId, row.id), eq(appointmentRequests.startsAt, startsAt)))
    .orderBy(desc(appointmentRequests.createdAt))
    .limit(1)
  const [contact] = await db.select({ firstName: contacts.firstName }).from(contacts).where(eq(contacts.id, row.contactId))
  return {
    state,
    firstName: contact?.firstName ?? '',
    startsAt,
    provider: await nameOfProvider(db, providerId),
    place,
    askedAt: asked?.at ?? null,
    openDays: await openDays(db),
  }
}

async function openDays(db: Db): Promise<number[]> {
  const days = await db.select({ weekday: practiceHours.weekday }).from(practiceHours).orderBy(practiceHours.weekday)
  return days.length > 0 ? days.map(({ weekday }) => weekday) : weekdayNames.map((_, index) => index + 1)
}

/** Anyone who looks after the patient, has booked the appointment, or is at the desk; the administrators see to it that it is never no one. */
async function whoAnswers(tx: Db, first: readonly (string | null)[]): Promise<[string, ...string[]]> {
  const others = await tx
    .select({ id: profiles.id, role: profiles.role })
    .from(profiles)
    .where(eq(profiles.status, 'active'))
    .orderBy(asc(profiles.id))
  const ofRole = (role: string) => others.filter((one) => one.role === role).map(({ id }) => id)
  const [someone, ...rest] = [...first.filter((id) => id !== null), ...ofRole('front_desk'), ...ofRole('admin')]
  if (someone === undefined) throw new Error('There is no one to ask')
  return [someone, ...rest]
}
