import { and, eq, gt, lt, type SQL } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { assignableRoles } from '../../crm/contacts/rules.ts'
import { problemOfAssignee } from '../../crm/contacts/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { rooms } from '../../platform/practice/table.ts'
import type { BookingTable } from './bookings.ts'

export { applyChanges, defineBookings, lockContact, type ContactRow, type LockedBooking, type NewColumns } from './bookings.ts'
export { defineBookingExport, exportInput } from './export.ts'
export { withNamesakes } from './namesakes.ts'
export { findConflict, lockResources, refuseOverlap, type Reserve, withReservation } from './reserve.ts'

interface Where {
  providerId: string | null
  roomId: string | null
}

/** Errors for a provider who cannot have patients or a room that is not active. The booking's current ones (`before`) are always valid. */
export async function placeProblems(
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

/** The names of a booking's provider and room; null without one. */
export async function placeNames(tx: Db, { providerId, roomId }: Where): Promise<{ provider: string | null; room: string | null }> {
  const [provider] = providerId ? await tx.select({ name: profiles.name }).from(profiles).where(eq(profiles.id, providerId)) : []
  const [room] = roomId ? await tx.select({ name: rooms.name }).from(rooms).where(eq(rooms.id, roomId)) : []
  return { provider: provider?.name ?? null, room: room?.name ?? null }
}

/** Bookings that overlap a period. `maxMinutes`: the longest possible duration, so that the index on the start can be used. */
export const overlapsPeriod = ({ startsAt, endsAt }: BookingTable, from: Date, to: Date, maxMinutes: number): SQL | undefined =>
  and(lt(startsAt, to), gt(endsAt, from), gt(startsAt, new Date(from.getTime() - maxMinutes * 60_000)))

type Kind = 'appointment' | 'surgery'

interface PatientWithNamesakes {
  id: string
  namesakes: readonly { id: string }[]
}

/** Records in the audit log which patients were viewed with their bookings. */
export async function recordViews(scope: Scope, kind: Kind, rows: readonly { contact: PatientWithNamesakes }[]): Promise<void> {
  const contactIds = [...new Set(rows.map(({ contact }) => contact.id))]
  const namesakeIds = new Set(rows.flatMap(({ contact }) => contact.namesakes.map(({ id }) => id)))
  const others = [...namesakeIds].filter((id) => !contactIds.includes(id))
  if (others.length > 0) await scope.recordView({ kind: 'contact', contactIds: others })
  if (contactIds.length > 0) await scope.recordView({ kind, contactIds })
}
