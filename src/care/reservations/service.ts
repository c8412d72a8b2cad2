import { and, eq, gt, lt, type SQL } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { assignableRoles } from '../../crm/contacts/rules.ts'
import { problemOfAssignee } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import type { BookingTable } from './bookings.ts'

export { changedBooking, defineBookings, holdContact, type ContactRow, type LockedBooking } from './bookings.ts'
export { defineBookingExport, exportInput } from './export.ts'
export { refuseOverlap } from './time-holds.ts'

interface Where {
  providerId: string | null
  roomId: string | null
}

/** Anyone who may be a patient's provider may be booked, and a room has to be in use. What a booking has already (`before`) may stay. */
export async function problemsOfPlace(
  tx: Db,
  { providerId, roomId }: Where,
  before: Where | null,
  messages: { noProvider: string; noRoom: string },
): Promise<{ provider?: string; room?: string }> {
  const isNewProvider = providerId !== null && providerId !== before?.providerId
  const isNewRoom = roomId !== null && roomId !== before?.roomId
  return {
    ...(isNewProvider &&
      (await problemOfAssignee(tx, providerId, assignableRoles.assignedProviderId)) && { provider: messages.noProvider }),
    ...(isNewRoom && !(await isInUse(tx, roomId)) && { room: messages.noRoom }),
  }
}

async function isInUse(tx: Db, roomId: string): Promise<boolean> {
  const [room] = await tx.select({ isActive: rooms.isActive }).from(rooms).where(eq(rooms.id, roomId))
  return room?.isActive === true
}

/** What the provider and the room of a booking are called; null where it has none. */
export async function namesOfPlace(tx: Db, { providerId, roomId }: Where): Promise<{ provider: string | null; room: string | null }> {
  const [provider] = providerId ? await tx.select({ name: profiles.name }).from(profiles).where(eq(profiles.id, providerId)) : []
  const [room] = roomId ? await tx.select({ name: rooms.name }).from(rooms).where(eq(rooms.id, roomId)) : []
  return { provider: provider?.name ?? null, room: room?.name ?? null }
}

/** Those that touch a time. `longest`: minutes that one takes at the most, for the index on the beginning. */
export const touches = ({ startsAt, endsAt }: BookingTable, from: Date, to: Date, longest: number): SQL | undefined =>
  and(lt(startsAt, to), gt(endsAt, from), gt(startsAt, new Date(from.getTime() - longest * 60_000)))

type Kind = 'appointment' | 'surgery'

/** Tells the audit log whose bookings were seen. */
export async function recordSeen(scope: Scope, kind: Kind, rows: readonly { contact: { id: string } }[]): Promise<void> {
  const contactIds = [...new Set(rows.map(({ contact }) => contact.id))]
  if (contactIds.length > 0) await scope.recordView({ kind, contactIds })
}

/** Tells it that all of a patient's are seen. False when there is no such patient. */
export async function recordSeenOf(scope: Scope, kind: Kind, contactId: string): Promise<boolean> {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (contact) await scope.recordView({ kind, contactIds: [contactId] })
  return contact !== undefined
}
