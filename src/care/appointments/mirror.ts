import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { writeColumns } from '../../crm/contacts/service.ts'
import { locationOfRoom, rooms } from '../../platform/practice/table.ts'
import { type ContactRow, holdContact } from '../reservations/service.ts'
import { coming, type NextAppointment, nextAppointment, noAppointment } from './rules.ts'
import { appointments } from './table.ts'

export const mirrorFields = Object.keys(noAppointment) as (keyof NextAppointment)[]

type Mirrored = Pick<ContactRow, 'id'> & NextAppointment

/**
 * The columns of a locked patient that have to change so that they say when and where the next appointment is. Where none is left, day and
 * time are taken away if they are those of an appointment of theirs; else someone has typed them, and they stay. `was`: when the appointment
 * that is being changed began before.
 */
export async function mirrored(tx: Db, { now, env }: Scope, contact: Mirrored, was: Date | null = null): Promise<Partial<NextAppointment>> {
  const zone = env.PRACTICE_TIME_ZONE
  const [next] = await tx
    .select({ startsAt: appointments.startsAt, name: rooms.name, location: locationOfRoom })
    .from(appointments)
    .leftJoin(rooms, eq(rooms.id, appointments.roomId))
    .where(and(eq(appointments.contactId, contact.id), inArray(appointments.status, [...coming]), gt(appointments.endsAt, now())))
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
    .limit(1)
  if (next) {
    const { startsAt, name, location } = next
    return differing(contact, nextAppointment(startsAt, name === null ? null : { name, location }, zone))
  }
  return (await isOurs(tx, contact, was, zone)) ? differing(contact, noAppointment) : {}
}

const differing = (contact: Mirrored, wanted: NextAppointment): Partial<NextAppointment> =>
  Object.fromEntries(mirrorFields.filter((field) => contact[field] !== wanted[field]).map((field) => [field, wanted[field]]))

/** Whether the day and time on a patient's record are those of an appointment of theirs, whatever became of it. */
async function isOurs(tx: Db, { id, appointmentDate, appointmentTime }: Mirrored, was: Date | null, zone: string): Promise<boolean> {
  if (appointmentDate === null || appointmentTime === null) return false
  const { day, time } = was ? toLocal(was, zone) : {}
  if (day === appointmentDate && time === appointmentTime) return true
  const [one] = await tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(and(eq(appointments.contactId, id), sql`${spelled('appointments', zone)} = ${`${appointmentDate} ${appointmentTime}`}`))
    .limit(1)
  return one !== undefined
}

/** Day and time of an appointment as a patient's record spells them. */
const spelled = (alias: string, zone: string): SQL =>
  sql`to_char(${sql.identifier(alias)}.starts_at at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI')`

/** Looks at a patient's next appointment again. */
export const mirrorAgain = (scope: Scope, contactId: string): Promise<void> =>
  transact(scope.db, async (tx) => {
    const contact = await holdContact(tx, contactId)
    if (!contact) return
    await writeMirrored(tx, scope, contact)
  })

/** The same for a patient who is locked. */
async function writeMirrored(tx: Db, scope: Scope, contact: ContactRow): Promise<void> {
  const changed = await mirrored(tx, scope, contact)
  if (Object.keys(changed).length > 0) await writeColumns(tx, scope, contact, changed)
}

/** What is over for longer than this has been looked at. */
const lookedBack = 31 * 86_400_000

/** Patients whose record names an appointment that is over, or that does not take place. */
export async function staleContacts({ db, now, env }: Scope): Promise<string[]> {
  const zone = env.PRACTICE_TIME_ZONE
  const isComing = (alias: string) =>
    sql`(${sql.identifier(alias)}.status = any(${sql.param([...coming])}::text[]) and ${sql.identifier(alias)}.ends_at > ${now().toISOString()}::timestamptz)`
  const { rows } = await db.execute<{ id: string }>(sql`
    select distinct contacts.id from appointments as past
    join contacts on contacts.id = past.contact_id
      and to_char(contacts.appointment_date, 'YYYY-MM-DD') || ' ' || contacts.appointment_time = ${spelled('past', zone)}
    where past.starts_at > ${new Date(now().getTime() - lookedBack).toISOString()}::timestamptz and not ${isComing('past')}
      and not exists (
        select 1 from appointments as other
        where other.contact_id = contacts.id and ${isComing('other')} and ${spelled('other', zone)} = ${spelled('past', zone)})
    order by 1`)
  return rows.map(({ id }) => id)
}

/** Patients who are still to come into a room. */
export async function expectedIn({ db, now }: Scope, roomId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: appointments.contactId })
    .from(appointments)
    .where(and(eq(appointments.roomId, roomId), inArray(appointments.status, [...coming]), gt(appointments.endsAt, now())))
    .orderBy(asc(appointments.contactId))
  return rows.map(({ id }) => id)
}
