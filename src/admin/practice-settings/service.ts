import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { nameRoomAnew } from '../../care/appointments/service.ts'
import type { Room } from './contract.ts'
import { holdLocation } from './locations.ts'
import type { DayHours } from '../../platform/practice/rules.ts'
import { locationOfRoom, practiceHours, rooms } from '../../platform/practice/table.ts'

const asRoom = { ...getTableColumns(rooms), location: locationOfRoom }
type GivenRoom = Pick<Room, 'name' | 'kind'> & { locationId?: string | undefined }
const unknownLocation = invalidReference({ locationId: 'This location is not in use' })

/** Every room, those that are no longer used last. */
export const listRooms = (db: Db): Promise<Room[]> =>
  db
    .select(asRoom)
    .from(rooms)
    .orderBy(desc(rooms.isActive), asc(rooms.sortOrder), asc(sql`fold(${rooms.name})`))

const roomById = async (tx: Db, id: string): Promise<Room> => (await tx.select(asRoom).from(rooms).where(eq(rooms.id, id)))[0]!

/** Adds a room behind the others. */
export async function addRoom(scope: Scope, { locationId, ...given }: GivenRoom) {
  return scope.db.transaction(async (tx) => {
    const place = await holdLocation(tx, locationId)
    if (!place?.isActive) return unknownLocation
    const sortOrder = sql`(select coalesce(max(sort_order), 0) + 1 from rooms)`
    const [row] = await tx
      .insert(rooms)
      .values({ ...given, locationId: place.id, sortOrder })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('NAME_TAKEN')
    await recordChange(tx, scope, { action: 'created', kind: 'room', contactIds: [], after: row })
    await publish(tx, 'practice', row.id)
    return roomById(tx, row.id)
  })
}

/** Changes a room; null when there is none. What takes place in it stays there. */
export async function changeRoom(scope: Scope, { id, ...given }: GivenRoom & Pick<Room, 'id' | 'isActive'>) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(rooms).where(eq(rooms.id, id)).for('no key update')
      if (!before) return null
      const wanted = { ...given, locationId: given.locationId ?? before.locationId }
      const changes = difference(before, { ...before, ...wanted })
      if (Object.keys(changes.after).length === 0) return roomById(tx, id)
      const place = await holdLocation(tx, wanted.locationId)
      // A room that is no longer used may stay where it was.
      if (!place || (!place.isActive && (wanted.isActive || 'locationId' in changes.after))) return unknownLocation
      await tx.update(rooms).set(wanted).where(eq(rooms.id, id))
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'room',
        contactIds: [],
        before: { id, ...changes.before },
        after: { id, ...changes.after },
      })
      if ('name' in changes.after || 'locationId' in changes.after) await nameRoomAnew(tx, id)
      await publish(tx, 'practice', id)
      return roomById(tx, id)
    })
  } catch (error) {
    if (isDuplicate(error, 'rooms_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** The days on which the practice is open, from Monday on. */
export const listHours = (db: Db): Promise<DayHours[]> => db.select().from(practiceHours).orderBy(asc(practiceHours.weekday))

/** Sets the hours of the whole week: a day that is missing is closed. */
export async function setHours(scope: Scope, days: readonly DayHours[]): Promise<DayHours[]> {
  return scope.db.transaction(async (tx) => {
    // Two who set them at once come one after the other, each whole.
    await tx.execute(sql`lock table ${practiceHours} in share row exclusive mode`)
    const before = await listHours(tx)
    await tx.delete(practiceHours)
    if (days.length > 0) await tx.insert(practiceHours).values([...days])
    const after = await listHours(tx)
    await recordChange(tx, scope, { action: 'changed', kind: 'practice hours', contactIds: [], before, after })
    await publish(tx, 'practice', 'hours')
    return after
  })
}
