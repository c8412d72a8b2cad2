import { and, asc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import type { CalendarEvent } from '../../kernel/files/calendar-file.ts'
import type { Scope } from '../../kernel/scope.ts'
import { holding as holdingAppointments } from '../appointments/rules.ts'
import { appointments } from '../appointments/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { locationOfRoom, rooms } from '../../platform/practice/table.ts'
import { holding as holdingSurgeries } from '../surgeries/rules.ts'
import { surgeries } from '../surgeries/table.ts'
import { daysAhead, daysBack, eventTitle } from './rules.ts'

const day = 86_400_000
const patient = { contactId: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName }
const place = { roomName: rooms.name, roomLocation: locationOfRoom }
const placeOf = (room: { roomName: string | null; roomLocation: string | null }): string | null =>
  [room.roomName, room.roomLocation].filter(Boolean).join(', ') || null

/** A provider's appointments, and the surgeries that they take part in, in their order; and whose they are. */
export async function eventsOf({ db, now, env }: Scope, providerId: string): Promise<{ events: CalendarEvent[]; contactIds: string[] }> {
  const at = now().getTime()
  const [from, to] = [new Date(at - daysBack * day), new Date(at + daysAhead * day)]
  const host = new URL(env.APP_URL).hostname
  const [visits, operations] = await Promise.all([
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
          inArray(appointments.status, [...holdingAppointments]),
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
          inArray(surgeries.status, [...holdingSurgeries]),
        ),
      )
      .orderBy(asc(surgeries.startsAt), asc(surgeries.id)),
  ])
  const timed = ({ id, version, updatedAt, startsAt, endsAt }: (typeof visits)[number]['one'] | (typeof operations)[number]['one']) => ({
    uid: `${id}@${host}`,
    sequence: version,
    changedAt: updatedAt,
    startsAt,
    endsAt,
  })
  const events = [
    ...visits.map(({ one, ...rest }) => ({
      ...timed(one),
      title: eventTitle(one.type, rest),
      place: placeOf(rest),
      status: one.status === 'booked' ? ('tentative' as const) : ('confirmed' as const),
    })),
    ...operations.map(({ one, ...rest }) => ({
      ...timed(one),
      title: eventTitle('surgery', rest),
      place: placeOf(rest),
      status: one.status === 'tentative' ? ('tentative' as const) : ('confirmed' as const),
    })),
  ].toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  return { events, contactIds: [...new Set([...visits, ...operations].map(({ contactId }) => contactId))] }
}
