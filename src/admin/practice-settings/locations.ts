import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { nameRoomAnew } from '../../care/appointments/service.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { Location } from './contract.ts'
import { locations, rooms } from '../../platform/practice/table.ts'

type Row = typeof locations.$inferSelect

/** Every location, those that are no longer used last. */
export const listLocations = (db: Db): Promise<Row[]> =>
  db.select().from(locations).orderBy(desc(locations.isActive), asc(locations.sortOrder), asc(locations.id))

/** The location that a room is to be at, held so that no one takes it out of use in the meantime; null: it cannot be chosen. Without an id, the first one. */
export async function holdLocation(tx: Db, id: string | undefined): Promise<Row | null> {
  const [row] = await tx
    .select()
    .from(locations)
    .where(id === undefined ? eq(locations.isActive, true) : eq(locations.id, id))
    .orderBy(asc(locations.sortOrder), asc(locations.id))
    .limit(1)
    .for('share')
  return row ?? null
}

/** Adds a location behind the others. */
export async function addLocation(scope: Scope, given: Pick<Location, 'name' | 'address' | 'phone'>) {
  return scope.db.transaction(async (tx) => {
    const sortOrder = sql`(select coalesce(max(sort_order), 0) + 1 from locations)`
    const [row] = await tx
      .insert(locations)
      .values({ ...given, sortOrder })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('NAME_TAKEN')
    await recordChange(tx, scope, { action: 'created', kind: 'location', contactIds: [], after: row })
    await nameRoomsAnew(tx)
    await publish(tx, 'practice', row.id)
    return row
  })
}

/**
 * Changes a location; null when there is none. It stays in use while a room of it is, and as long as there is no other. Patients
 * are told of another address with the next change of their appointment, as of another address of the practice.
 */
export async function changeLocation(scope: Scope, { id, ...wanted }: Location) {
  try {
    return await scope.db.transaction(async (tx) => {
      // All of them: two who take the last two out of use at once come one after the other.
      const all = await tx.select().from(locations).orderBy(asc(locations.id)).for('update')
      const before = all.find((row) => row.id === id)
      if (!before) return null
      const changes = difference(before, { ...before, ...wanted })
      if (Object.keys(changes.after).length === 0) return before
      if (!wanted.isActive && before.isActive) {
        if (!all.some((row) => row.id !== id && row.isActive)) return refuse('LAST')
        const isOfIt = and(eq(rooms.locationId, id), eq(rooms.isActive, true))
        if ((await tx.$count(rooms, isOfIt)) > 0) return refuse('IN_USE')
      }
      const [row] = await tx.update(locations).set(wanted).where(eq(locations.id, id)).returning()
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'location',
        contactIds: [],
        before: { id, ...changes.before },
        after: { id, ...changes.after },
      })
      if ('name' in changes.after || 'isActive' in changes.after) await nameRoomsAnew(tx)
      await publish(tx, 'practice', id)
      return row!
    })
  } catch (error) {
    if (isDuplicate(error, 'locations_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** Whether a room's record names its location depends on which others there are. */
async function nameRoomsAnew(tx: Db): Promise<void> {
  for (const { id } of await tx.select({ id: rooms.id }).from(rooms)) await nameRoomAnew(tx, id)
}
