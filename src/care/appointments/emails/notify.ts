import { and, asc, eq, gt, inArray, lte, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../kernel/postgres/database.ts'
import { describeError } from '../../../kernel/errors.ts'
import { defineJob, enqueue } from '../../../kernel/jobs.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { transact } from '../../../kernel/postgres/transact.ts'
import { announceAppointment, bookings, type Locked, type Row } from '../bookings.ts'
import { earliestSending, lockNumber, preferredNumber } from '../../../messages/inbox/service.ts'
import { type Announced, type AnnouncedVisits, emailPatient, notifiedDetails, pastNotificationsOf } from './emails.ts'
import {
  isReminder,
  reminderLookahead,
  type MailKind,
  updatesOf,
  dueUpdate,
  reminderDue,
  type NotifiedDetails,
  type PastNotification,
} from '../email-rules.ts'
import { type AppointmentStatus, upcomingStatuses } from '../rules.ts'
import { appointments } from '../table.ts'

/**
 * Sends the update that a patient is due. It compares the appointment as it is now with the last email, so it can safely run twice, and
 * sends one email for several changes in a row.
 */
export const notifyPatient = defineJob({
  name: 'appointments.notify-patient',
  payload: z.object({ id: z.uuid() }),
  run: (scope, { id }) => sendDueEmail(scope, id, (planned, past) => dueUpdate(scope.now(), planned, past)),
})

/** Queues the notification in the caller's transaction, with a short delay so that a change that is undone at once is not announced. */
export async function queueNotification(tx: Db, { env, now }: Scope, id: string): Promise<void> {
  const delayMs = env.APPOINTMENT_MAIL_SECONDS * 1000
  await enqueue(
    tx,
    notifyPatient,
    { id },
    `appointments.notify-patient ${id}`,
    delayMs > 0 ? new Date(now().getTime() + delayMs) : undefined,
  )
}

/** Sends every reminder that is due. */
export const remindPatients = defineJob({
  name: 'appointments.remind-patients',
  payload: z.object({}),
  cron: '* * * * *',
  async run(scope) {
    for (const id of await dueAppointments(scope)) {
      try {
        await sendDueEmail(scope, id, (planned, past) => reminderDue(scope.now(), planned, past, scope.env.PRACTICE_TIME_ZONE))
      } catch (error) {
        // A failed reminder does not block the others; the next run retries it in a minute.
        scope.log.error({ appointmentId: id, error: describeError(error) }, 'An appointment reminder failed')
      }
    }
  },
})

/** Ids of appointments with a reminder due, earliest first. */
async function dueAppointments({ db, now, env }: Scope): Promise<string[]> {
  const at = now()
  const rows = await db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.notifiesPatient, true),
        inArray(appointments.status, [...upcomingStatuses]),
        gt(appointments.startsAt, at),
        lte(appointments.startsAt, new Date(at.getTime() + reminderLookahead)),
      ),
    )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
  const past = await pastNotificationsOf(
    db,
    rows.map(({ id }) => id),
  )
  const isDue = (row: Row) => {
    const pastOfRow = past.filter(({ appointmentId }) => appointmentId === row.id)
    return reminderDue(at, { ...row, place: '' }, pastOfRow, env.PRACTICE_TIME_ZONE) !== null
  }
  return rows.filter(isDue).map(({ id }) => id)
}

/** Before the appointment and its patient are locked, in the order of a text that arrives. */
async function lockPreferredNumber(tx: Db, scope: Scope, id: string): Promise<void> {
  const [row] = await tx.select({ contactId: appointments.contactId }).from(appointments).where(eq(appointments.id, id))
  const number = row && (await preferredNumber(tx, scope, row.contactId))
  if (number) await lockNumber(tx, number)
}

/** A text waits for the morning on the patient's clock, unless the appointment begins before. Null: it is sent now. */
async function waitsUntil(tx: Db, scope: Scope, { row, contact }: Locked): Promise<Date | null> {
  if ((await preferredNumber(tx, scope, contact.id)) === null) return null
  const at = await earliestSending(scope, { contactId: contact.id, channel: 'text', at: scope.now() })
  return at > scope.now() && at < row.startsAt ? at : null
}

type Planned = NotifiedDetails & { status: AppointmentStatus; notifiesPatient: boolean }

/** Sends the email that `choose` returns. The appointment is locked, so that a concurrent run sees what was sent. */
const sendDueEmail = (
  scope: Scope,
  id: string,
  choose: (planned: Planned, past: readonly PastNotification[]) => MailKind | null,
): Promise<void> =>
  transact(scope.db, async (tx) => {
    await lockPreferredNumber(tx, scope, id)
    const locked = await bookings.lock(tx, id)
    if (!locked) return
    const details = await notifiedDetails(tx, scope.env, locked.row)
    const past = await pastNotificationsOf(tx, [id])
    const { status, notifiesPatient } = locked.row
    const kind = choose({ ...details, status, notifiesPatient }, past)
    if (!kind) return
    const wait = await waitsUntil(tx, scope, locked)
    if (wait) {
      // Reminders are looked for every minute.
      if (!isReminder(kind)) await enqueue(tx, notifyPatient, { id }, `appointments.notify-patient ${id}`, wait)
      return
    }
    const visit = announcedAs(kind, locked.row, details, past)
    const visits = kind === 'confirmation' || kind === 'cancelled' ? await withSeries(tx, scope, kind, visit) : ([visit] as const)
    await emailPatient(tx, scope, locked.contact, kind, visits, past)
    for (const { row } of visits) await announceAppointment(tx, row.id)
  })

/** A cancellation names the time that the patient knows: it may have been moved just before. */
function announcedAs(kind: MailKind, row: Row, details: NotifiedDetails, past: readonly PastNotification[]): Announced {
  const [lastUpdate] = updatesOf(past)
  return { row, details: kind === 'cancelled' && lastUpdate ? lastUpdate : details }
}

/** The appointment, about which this message is due, with those of its series that the same message is about, in order. */
async function withSeries(tx: Db, scope: Scope, kind: MailKind, visit: Announced): Promise<AnnouncedVisits> {
  const { id, seriesId, contactId } = visit.row
  if (seriesId === null) return [visit]
  // Their patient is locked already.
  const rows = await tx
    .select()
    .from(appointments)
    .where(and(eq(appointments.seriesId, seriesId), eq(appointments.contactId, contactId), ne(appointments.id, id)))
    .orderBy(asc(appointments.id))
    .for('no key update')
  const past = await pastNotificationsOf(
    tx,
    rows.map((row) => row.id),
  )
  const due: Announced[] = []
  for (const row of rows) {
    const details = await notifiedDetails(tx, scope.env, row)
    const { status, notifiesPatient } = row
    const pastOfRow = past.filter(({ appointmentId }) => appointmentId === row.id)
    if (dueUpdate(scope.now(), { ...details, status, notifiesPatient }, pastOfRow) === kind)
      due.push(announcedAs(kind, row, details, pastOfRow))
  }
  const [first = visit, ...others] = [visit, ...due].toSorted((a, b) => Number(a.row.startsAt) - Number(b.row.startsAt))
  return [first, ...others]
}
