import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { describeError } from '../../kernel/errors.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { announceAppointment, bookings, type Row } from './bookings.ts'
import { mailPatient, tellable, mailsSentOf } from './mails.ts'
import { earliestReminder, type MailKind, newsOf, newsToTell, reminderDue, type Tellable, type Told } from './mail-rules.ts'
import { type AppointmentStatus, coming } from './rules.ts'
import { appointments } from './table.ts'

/**
 * Tells a patient what they have to know of an appointment so that the last that they heard is true. It goes by what is the case when it runs, so
 * that it may run twice, and tells one thing of several changes in a row.
 */
export const notifyPatient = defineJob({
  name: 'appointments.tell-patient',
  payload: z.object({ id: z.uuid() }),
  run: (scope, { id }) => mailIf(scope, id, (planned, told) => newsToTell(scope.now(), planned, told)),
})

/** Queues it in the transaction of the change, for a little later: what is taken back at once is told to no one. */
export async function queueNews(tx: Db, { env, now }: Scope, id: string): Promise<void> {
  const wait = env.APPOINTMENT_MAIL_SECONDS * 1000
  await enqueue(tx, notifyPatient, { id }, `appointments.tell-patient ${id}`, wait > 0 ? new Date(now().getTime() + wait) : undefined)
}

/** Reminds of every appointment whose moment has come. */
export const remindPatients = defineJob({
  name: 'appointments.remind-patients',
  payload: z.object({}),
  cron: '* * * * *',
  async run(scope) {
    for (const id of await soon(scope)) {
      try {
        await mailIf(scope, id, (planned, told) => reminderDue(scope.now(), planned, told, scope.env.PRACTICE_TIME_ZONE))
      } catch (error) {
        // One that fails does not keep the others from theirs; it is tried again in a minute.
        scope.log.error({ appointmentId: id, error: describeError(error) }, 'A patient was not reminded')
      }
    }
  },
})

/** Appointments that have to be reminded of, the first first. */
async function soon({ db, now, env }: Scope): Promise<string[]> {
  const at = now()
  const rows = await db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.tellsPatient, true),
        inArray(appointments.status, [...coming]),
        gt(appointments.startsAt, at),
        lte(appointments.startsAt, new Date(at.getTime() + earliestReminder)),
      ),
    )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
  const told = await mailsSentOf(
    db,
    rows.map(({ id }) => id),
  )
  const isDue = (row: Row) => {
    const ofIt = told.filter(({ appointmentId }) => appointmentId === row.id)
    return reminderDue(at, { ...row, place: '' }, ofIt, env.PRACTICE_TIME_ZONE) !== null
  }
  return rows.filter(isDue).map(({ id }) => id)
}

type Planned = Tellable & { status: AppointmentStatus; tellsPatient: boolean }

/** Sends what `choose` says of an appointment, which is locked: anyone who comes at the same time sees that it was sent. */
const mailIf = (scope: Scope, id: string, choose: (planned: Planned, told: readonly Told[]) => MailKind | null): Promise<void> =>
  transact(scope.db, async (tx) => {
    const locked = await bookings.lock(tx, id)
    if (!locked) return
    const about = await tellable(tx, scope.env, locked.row)
    const told = await mailsSentOf(tx, [id])
    const { status, tellsPatient } = locked.row
    const kind = choose({ ...about, status, tellsPatient }, told)
    if (!kind) return
    // What is cancelled is the time that they know: it may have been moved just before.
    const [known] = newsOf(told)
    await mailPatient(tx, scope, locked, kind, kind === 'cancelled' && known ? known : about, told)
    await announceAppointment(tx, id)
  })
