import { and, asc, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { writeColumns } from '../../crm/contacts/service.ts'
import { locationOfRoom, rooms } from '../../platform/practice/table.ts'
import { type ContactRow, lockContact } from '../reservations/service.ts'
import { upcomingStatuses, type NextAppointment, nextAppointment, noAppointment } from './rules.ts'
import { appointments } from './table.ts'

export const nextAppointmentFields = Object.keys(noAppointment) as (keyof NextAppointment)[]

type PatientFields = Pick<ContactRow, 'id'> & NextAppointment

/**
 * The changes that a locked patient's record needs to show the next appointment. Without one, date and time are cleared if they came from
 * an appointment; otherwise someone typed them, and they stay. `previousStart`: the start, before the change, of the appointment being
 * changed.
 */
export async function nextAppointmentChanges(
  tx: Db,
  { now, env }: Scope,
  contact: PatientFields,
  previousStart: Date | null = null,
): Promise<Partial<NextAppointment>> {
  const zone = env.PRACTICE_TIME_ZONE
  const [next] = await tx
    .select({ startsAt: appointments.startsAt, name: rooms.name, location: locationOfRoom })
    .from(appointments)
    .leftJoin(rooms, eq(rooms.id, appointments.roomId))
    .where(and(eq(appointments.contactId, contact.id), inArray(appointments.status, [...upcomingStatuses]), gt(appointments.endsAt, now())))
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
    .limit(1)
  if (next) {
    const { startsAt, name, location } = next
    return changedFields(contact, nextAppointment(startsAt, name === null ? null : { name, location }, zone))
  }
  return (await isFromAppointment(tx, contact, previousStart, zone)) ? changedFields(contact, noAppointment) : {}
}

const changedFields = (contact: PatientFields, wanted: NextAppointment): Partial<NextAppointment> =>
  Object.fromEntries(nextAppointmentFields.filter((field) => contact[field] !== wanted[field]).map((field) => [field, wanted[field]]))

/** Whether the date and time on a patient's record match one of their appointments, in any status. */
async function isFromAppointment(
  tx: Db,
  { id, appointmentDate, appointmentTime }: PatientFields,
  previousStart: Date | null,
  zone: string,
): Promise<boolean> {
  if (appointmentDate === null || appointmentTime === null) return false
  const { day, time } = previousStart ? toLocal(previousStart, zone) : {}
  if (day === appointmentDate && time === appointmentTime) return true
  const [one] = await tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(and(eq(appointments.contactId, id), sql`${localStart('appointments', zone)} = ${`${appointmentDate} ${appointmentTime}`}`))
    .limit(1)
  return one !== undefined
}

/** SQL for an appointment's local start, in the format of the patient's record. */
const localStart = (alias: string, zone: string): SQL =>
  sql`to_char(${sql.identifier(alias)}.starts_at at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI')`

/** Recomputes the next appointment on a patient's record. */
export const refreshNextAppointment = (scope: Scope, contactId: string): Promise<void> =>
  transact(scope.db, async (tx) => {
    const contact = await lockContact(tx, contactId)
    if (!contact) return
    await writeNextAppointment(tx, scope, contact)
  })

/** Recomputes it for a locked patient. */
async function writeNextAppointment(tx: Db, scope: Scope, contact: ContactRow): Promise<void> {
  const changed = await nextAppointmentChanges(tx, scope, contact)
  if (Object.keys(changed).length > 0) await writeColumns(tx, scope, contact, changed)
}

/** Milliseconds. Appointments that ended earlier have been handled by previous runs. */
const lookBackMs = 31 * 86_400_000

/** Patients whose record shows an appointment that is over, missed or cancelled. */
export async function staleContacts({ db, now, env }: Scope): Promise<string[]> {
  const zone = env.PRACTICE_TIME_ZONE
  const isComing = (alias: string) =>
    sql`(${sql.identifier(alias)}.status = any(${sql.param([...upcomingStatuses])}::text[]) and ${sql.identifier(alias)}.ends_at > ${now().toISOString()}::timestamptz)`
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct contacts.id from appointments as past
    join contacts on contacts.id = past.contact_id
      and to_char(contacts.appointment_date, 'YYYY-MM-DD') || ' ' || contacts.appointment_time = ${localStart('past', zone)}
    where past.starts_at > ${new Date(now().getTime() - lookBackMs).toISOString()}::timestamptz and not ${isComing('past')}
      and not exists (
        select 1 from appointments as other
        where other.contact_id = contacts.id and ${isComing('other')} and ${localStart('other', zone)} = ${localStart('past', zone)})
    order by 1`)
  return rows.map(({ id }) => id)
}

/** Patients with an upcoming appointment in a room; null: in any room. */
export async function contactsExpectedIn({ db, now }: Scope, roomId: string | null): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: appointments.contactId })
    .from(appointments)
    .where(
      and(
        roomId === null ? isNotNull(appointments.roomId) : eq(appointments.roomId, roomId),
        inArray(appointments.status, [...upcomingStatuses]),
        gt(appointments.endsAt, now()),
      ),
    )
    .orderBy(asc(appointments.contactId))
  return rows.map(({ id }) => id)
}

/** How many upcoming appointments a patient has. */
export const upcomingVisits = (db: Db, { now }: Scope, contactId: string): Promise<number> =>
  db.$count(
    appointments,
    and(eq(appointments.contactId, contactId), inArray(appointments.status, [...upcomingStatuses]), gt(appointments.startsAt, now())),
  )
