import { and, asc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import type { CalendarEvent } from '../../kernel/files/calendar-file.ts'
import type { Scope } from '../../kernel/scope.ts'
import { blockingStatuses as blockingAppointmentStatuses } from '../appointments/rules.ts'
import { appointments } from '../appointments/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { locationOfRoom, rooms } from '../../platform/practice/table.ts'
import { blockingStatuses as blockingSurgeryStatuses } from '../surgeries/rules.ts'
import { surgeries } from '../surgeries/table.ts'
import { daysAhead, daysBack, eventTitle } from './rules.ts'

const day = 86_400_000
const patient = { contactId: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName }
const place = { roomName: rooms.name, roomLocation: locationOfRoom }
const placeOf = (room: { roomName: string | null; roomLocation: string | null }): string | null =>
  [room.roomName, room.roomLocation].filter(Boolean).join(', ') || null

/** A provider's appointments and the surgeries they take part in, in chronological order, with the ids of the patients. */
export async function eventsOf({ db, now, env }: Scope, providerId: string): Promise<{ events: CalendarEvent[]; contactIds: string[] }> {
  const at = now().getTime()
  const [from, to] = [new Date(at - daysBack * day), new Date(at + daysAhead * day)]
  const host = new URL(env.APP_URL).hostname
  const [appointmentRows, surgeryRows] = await Promise.all([
    db
      .select({ one: appointments, ...patient, ...place })
      .from(appointments)
      .innerJoin(contacts, eq(contacts.id, appointments.contactId))
      .leftJoin(rooms, eq(rooms.id, appointments.roomId))
      .where(
        and(
          eq(appointments.providerId, providerId),
          gt(appointments.endsAt, from),
          lt(appointments.startsAt, to),
          inArray(appointments.status, [...blockingAppointmentStatuses]),
        ),
      )
      .orderBy(asc(appointments.startsAt), asc(appointments.id)),
    db
      .select({ one: surgeries, ...patient, ...place })
      .from(surgeries)
      .innerJoin(contacts, eq(contacts.id, surgeries.contactId))
      .leftJoin(rooms, eq(rooms.id, surgeries.roomId))
      .where(
        and(
          or(eq(surgeries.surgeonId, providerId), sql`${providerId}::uuid = any(${surgeries.assistantIds})`),
          gt(surgeries.endsAt, from),
          lt(surgeries.startsAt, to),
          inArray(surgeries.status, [...blockingSurgeryStatuses]),
        ),
      )
      .orderBy(asc(surgeries.startsAt), asc(surgeries.id)),
  ])
  const eventBase = ({
    id,
    version,
    updatedAt,
    startsAt,
    endsAt,
  }: (typeof appointmentRows)[number]['one'] | (typeof surgeryRows)[number]['one']) => ({
    uid: `${id}@${host}`,
    sequence: version,
    changedAt: updatedAt,
    startsAt,
    endsAt,
  })
  const events = [
    ...appointmentRows.map(({ one, ...rest }) => ({
      ...eventBase(one),
      title: eventTitle(one.type, rest),
      place: placeOf(rest),
      status: one.status === 'booked' ? ('tentative' as const) : ('confirmed' as const),
    })),
    ...surgeryRows.map(({ one, ...rest }) => ({
      ...eventBase(one),
      title: eventTitle('surgery', rest),
      place: placeOf(rest),
      status: one.status === 'tentative' ? ('tentative' as const) : ('confirmed' as const),
    })),
  ].toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  return { events, contactIds: [...new Set([...appointmentRows, ...surgeryRows].map(({ contactId }) => contactId))] }
}
