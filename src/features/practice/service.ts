import { asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import { isDuplicate } from '../../server/errors.ts'
import { publish } from '../../server/events.ts'
import type { Scope } from '../../server/scope.ts'
import { difference } from '../audit/rules.ts'
import { recordChange } from '../audit/service.ts'
import { nameRoomAnew } from '../appointments/service.ts'
import type { Room } from './contract.ts'
import type { DayHours } from './rules.ts'
import { practiceHours, rooms } from './table.ts'

type Row = typeof rooms.$inferSelect
type NewRoom = Omit<Room, 'id' | 'isActive'>

/** Every room, those that are not used any more last. */
export const listRooms = (db: Db): Promise<Row[]> =>
  db
    .select()
    .from(rooms)
    .orderBy(desc(rooms.isActive), asc(rooms.sortOrder), asc(sql`fold(${rooms.name})`))

/** Adds a room behind the others; 'taken' when another has the name. */
export async function addRoom(scope: Scope, room: NewRoom): Promise<Row | 'taken'> {
  return scope.db.transaction(async (tx) => {
    const sortOrder = sql`(select coalesce(max(sort_order), 0) + 1 from rooms)`
    const [row] = await tx
      .insert(rooms)
      .values({ ...room, sortOrder })
      .onConflictDoNothing()
      .returning()
    if (!row) return 'taken'
    await recordChange(tx, scope, { action: 'created', kind: 'room', contactIds: [], after: row })
    await publish(tx, 'practice', row.id)
    return row
  })
}

/** Changes a room; null when there is none. What takes place in it stays there. */
export async function changeRoom(scope: Scope, { id, ...wanted }: Omit<Room, 'id'> & { id: string }): Promise<Row | 'taken' | null> {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(rooms).where(eq(rooms.id, id)).for('no key update')
      if (!before) return null
      const changes = difference(before, { ...before, ...wanted })
      if (Object.keys(changes.after).length === 0) return before
      const [row] = await tx.update(rooms).set(wanted).where(eq(rooms.id, id)).returning()
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'room',
        contactIds: [],
        before: { id, ...changes.before },
        after: { id, ...changes.after },
      })
      if ('name' in changes.after || 'location' in changes.after) await nameRoomAnew(tx, id)
      await publish(tx, 'practice', id)
      return row!
    })
  } catch (error) {
    if (isDuplicate(error, 'rooms_name')) return 'taken'
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
