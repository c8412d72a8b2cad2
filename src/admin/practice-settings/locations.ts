import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { refreshRoomName } from '../../care/appointments/service.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { Location } from './contract.ts'
import { locations, rooms } from '../../platform/practice/table.ts'

type Row = typeof locations.$inferSelect

/** All locations, inactive ones last. */
export const listLocations = (db: Db): Promise<Row[]> =>
  db.select().from(locations).orderBy(desc(locations.isActive), asc(locations.sortOrder), asc(locations.id))

/**
 * Locks the location for a room, so that no one deactivates it before the room is saved. Without an id, the first active one; null if not
 * found.
 */
export async function lockLocation(tx: Db, id: string | undefined): Promise<Row | null> {
  const [row] = await tx
    .select()
    .from(locations)
    .where(id === undefined ? eq(locations.isActive, true) : eq(locations.id, id))
    .orderBy(asc(locations.sortOrder), asc(locations.id))
    .limit(1)
    .for('share')
  return row ?? null
}

/** Adds a location after the others. */
export async function addLocation(scope: Scope, fields: Pick<Location, 'name' | 'address' | 'phone'>) {
  return scope.db.transaction(async (tx) => {
    const sortOrder = sql`(select coalesce(max(sort_order), 0) + 1 from locations)`
    const [row] = await tx
      .insert(locations)
      .values({ ...fields, sortOrder })
      .onConflictDoNothing()
      .returning()
    if (!row) return refuse('NAME_TAKEN')
    await recordChange(tx, scope, { action: 'created', kind: 'location', contactIds: [], after: row })
    // A room's name includes its location only if there are several active ones.
    await refreshRoomName(tx, null)
    await publish(tx, 'practice', row.id)
    return row
  })
}

/**
 * Changes a location; null if it does not exist. A location with an active room, or the only active one, cannot be deactivated. Patients
 * learn of a new address with the next change of their appointment, as with the practice's own address.
 */
export async function changeLocation(scope: Scope, { id, ...wanted }: Location) {
  try {
    return await scope.db.transaction(async (tx) => {
      // Lock all of them, so that two requests that deactivate the last two run one after the other.
      const all = await tx.select().from(locations).orderBy(asc(locations.id)).for('update')
      const before = all.find((row) => row.id === id)
      if (!before) return null
      const changes = difference(before, { ...before, ...wanted })
      if (Object.keys(changes.after).length === 0) return before
      if (!wanted.isActive && before.isActive) {
        if (!all.some((row) => row.id !== id && row.isActive)) return refuse('LAST')
        const isActiveHere = and(eq(rooms.locationId, id), eq(rooms.isActive, true))
        if ((await tx.$count(rooms, isActiveHere)) > 0) return refuse('IN_USE')
      }
      const [row] = await tx.update(locations).set(wanted).where(eq(locations.id, id)).returning()
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'location',
        contactIds: [],
        before: { id, ...changes.before },
        after: { id, ...changes.after },
      })
      if ('name' in changes.after || 'isActive' in changes.after) await refreshRoomName(tx, null)
      await publish(tx, 'practice', id)
      return row!
    })
  } catch (error) {
    if (isDuplicate(error, 'locations_name')) return refuse('NAME_TAKEN')
    throw error
  }
}
