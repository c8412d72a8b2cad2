import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { refreshRoomName } from '../../care/appointments/service.ts'
import type { Room } from './contract.ts'
import { lockLocation } from './locations.ts'
import type { DayHours } from '../../platform/practice/rules.ts'
import { locationOfRoom, practiceHours, rooms } from '../../platform/practice/table.ts'

const roomColumns = { ...getTableColumns(rooms), location: locationOfRoom }
type RoomInput = Pick<Room, 'name' | 'kind'> & { locationId?: string | undefined }
const unknownLocation = invalidReference({ locationId: 'This location is not in use' })

/** All rooms, inactive ones last. */
export const listRooms = (db: Db): Promise<Room[]> =>
  db
    .select(roomColumns)
    .from(rooms)
    .orderBy(desc(rooms.isActive), asc(rooms.sortOrder), asc(sql`fold(${rooms.name})`))

const roomById = async (tx: Db, id: string): Promise<Room> => (await tx.select(roomColumns).from(rooms).where(eq(rooms.id, id)))[0]!

/** Adds a room after the others. */
export async function addRoom(scope: Scope, { locationId, ...fields }: RoomInput) {
  return scope.db.transaction(async (tx) => {
    const location = await lockLocation(tx, locationId)
    if (!location?.isActive) return unknownLocation
    const sortOrder = sql`(select coalesce(max(sort_order), 0) + 1 from rooms)`
    const [row] = await tx
      .insert(rooms)
      .values({ ...fields, locationId: location.id, sortOrder })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('NAME_TAKEN')
    await recordChange(tx, scope, { action: 'created', kind: 'room', contactIds: [], after: row })
    await publish(tx, 'practice', row.id)
    return roomById(tx, row.id)
  })
}

/** Changes a room; null if it does not exist. Its appointments stay in it. */
export async function changeRoom(scope: Scope, { id, ...fields }: RoomInput & Pick<Room, 'id' | 'isActive'>) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(rooms).where(eq(rooms.id, id)).for('no key update')
      if (!before) return null
      const wanted = { ...fields, locationId: fields.locationId ?? before.locationId }
      const changes = difference(before, { ...before, ...wanted })
      if (Object.keys(changes.after).length === 0) return roomById(tx, id)
      const location = await lockLocation(tx, wanted.locationId)
      // An inactive room may stay at an inactive location.
      if (!location || (!location.isActive && (wanted.isActive || 'locationId' in changes.after))) return unknownLocation
      await tx.update(rooms).set(wanted).where(eq(rooms.id, id))
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'room',
        contactIds: [],
        before: { id, ...changes.before },
        after: { id, ...changes.after },
      })
      if ('name' in changes.after || 'locationId' in changes.after) await refreshRoomName(tx, id)
      await publish(tx, 'practice', id)
      return roomById(tx, id)
    })
  } catch (error) {
    if (isDuplicate(error, 'rooms_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** The hours of each open day, Monday first. */
export const listHours = (db: Db): Promise<DayHours[]> => db.select().from(practiceHours).orderBy(asc(practiceHours.weekday))

/** Sets the hours of the whole week; a missing day is closed. */
export async function setHours(scope: Scope, days: readonly DayHours[]): Promise<DayHours[]> {
  return scope.db.transaction(async (tx) => {
    // Lock the table, so that simultaneous requests do not mix their days.
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
