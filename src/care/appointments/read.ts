import { and, asc, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { contacts, identityColumns } from '../../crm/contacts/table.ts'
import { messages } from '../../messages/inbox/table.ts'
import { recordViews, overlapsPeriod, withNamesakes } from '../reservations/service.ts'
import { type Appointment, type Correspondence, maxShown, maxListed } from './contract.ts'
import { blockingStatuses, maxMinutes } from './rules.ts'
import { appointmentMails, appointmentRequests, appointments } from './table.ts'

const columns = {
  id: appointments.id,
  version: appointments.version,
  contact: identityColumns,
  type: appointments.type,
  providerId: appointments.providerId,
  roomId: appointments.roomId,
  visitTypeId: appointments.visitTypeId,
  secondPersonId: appointments.secondPersonId,
  seriesId: appointments.seriesId,
  seriesNumber: appointments.seriesNumber,
  seriesVisits: appointments.seriesVisits,
  startsAt: appointments.startsAt,
  endsAt: appointments.endsAt,
  bufferBefore: appointments.bufferBefore,
  bufferAfter: appointments.bufferAfter,
  status: appointments.status,
  cancelReason: appointments.cancelReason,
  notes: appointments.notes,
  notifiesPatient: appointments.notifiesPatient,
}

const select = (db: Db, condition: SQL | undefined) =>
  db.select(columns).from(appointments).innerJoin(contacts, eq(contacts.id, appointments.contactId)).where(condition)

interface Period {
  from: Date
  to: Date
  providerId?: string | undefined
  roomId?: string | undefined
  all: 'true' | 'false'
}

/** The appointments that overlap a period, in order; `isTruncated` if there are more than one call returns. */
export async function listAppointments(scope: Scope, { from, to, providerId, roomId, all }: Period) {
  const rows = await select(
    scope.db,
    and(
      overlapsPeriod(appointments, from, to, maxMinutes),
      providerId ? or(eq(appointments.providerId, providerId), eq(appointments.secondPersonId, providerId)) : undefined,
      roomId ? eq(appointments.roomId, roomId) : undefined,
      all === 'true' ? undefined : inArray(appointments.status, [...blockingStatuses]),
    ),
  )
    .orderBy(asc(appointments.startsAt), asc(appointments.id))
    .limit(maxShown + 1)
  const data = await withNamesakes(scope.db, scope.env, rows.slice(0, maxShown))
  await recordViews(scope, 'appointment', data)
  return { data, isTruncated: rows.length > maxShown }
}

const ofContact = prepared((db) =>
  select(db, eq(appointments.contactId, sql.placeholder('contactId')))
    .orderBy(desc(appointments.startsAt), desc(appointments.id))
    .prepare('appointments'),
)

/** A patient's appointments, newest first. Null if there is no such patient. */
export async function appointmentsOf(scope: Scope, contactId: string): Promise<Appointment[] | null> {
  const rows = await readOfPatient(scope, 'appointment', contactId, ofContact(scope.db).execute({ contactId }))
  return rows && withNamesakes(scope.db, scope.env, rows)
}

/** One appointment, or null. */
export async function getAppointment(db: Db, { env }: Pick<Scope, 'env'>, id: string): Promise<Appointment | null> {
  const [row] = await withNamesakes(db, env, await select(db, eq(appointments.id, id)))
  return row ?? null
}

export async function viewAppointment(scope: Scope, id: string): Promise<Appointment | null> {
  const found = await getAppointment(scope.db, scope, id)
  if (found) await recordViews(scope, 'appointment', [found])
  return found
}

/** Emails about an appointment and the patient's reschedule requests. Null if there is no such appointment. */
export async function correspondenceOf(scope: Scope, id: string): Promise<Correspondence | null> {
  const { db } = scope
  const [found] = await db.select({ contactId: appointments.contactId }).from(appointments).where(eq(appointments.id, id))
  if (!found) return null
  await scope.recordView({ kind: 'appointment', contactIds: [found.contactId] })
  const [emails, rescheduleRequests] = await Promise.all([
    db
      .select({
        mail: appointmentMails,
        message: { to: messages.toEmail, status: messages.status, problem: messages.problem },
      })
      .from(appointmentMails)
      .leftJoin(messages, eq(messages.id, appointmentMails.messageId))
      .where(eq(appointmentMails.appointmentId, id))
      .orderBy(desc(appointmentMails.createdAt), desc(appointmentMails.id))
      .limit(maxListed),
    db
      .select()
      .from(appointmentRequests)
      .where(eq(appointmentRequests.appointmentId, id))
      .orderBy(desc(appointmentRequests.createdAt), desc(appointmentRequests.id))
      .limit(maxListed),
  ])
  return { emails: emails.map(({ mail, message }) => ({ ...mail, message })), rescheduleRequests }
}
