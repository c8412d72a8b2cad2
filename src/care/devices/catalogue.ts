import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { difference } from '../../kernel/audit/rules.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import { dayAt, daysLater } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { ChangedDevice, DeviceFilters, DeviceInList, DeviceStock, NewDevice } from './contract.ts'
import { expiringDays, isImplant } from './rules.ts'
import { deviceLots, devices, stockLevels, stockPlaces } from './table.ts'

/** Today, and the last day that counts as expiring. */
export function stockDays({ now, env }: Pick<Scope, 'now' | 'env'>): { today: string; soon: string } {
  const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
  return { today, soon: daysLater(today, expiringDays) }
}

/** The catalogue with what is at places, as a table `stocked`. */
const stocked = ({ today, soon }: { today: string; soon: string }): SQL => sql`(
  select devices.*, coalesce(at_places.in_stock, 0)::int as in_stock, coalesce(at_places.expired, 0)::int as expired,
    coalesce(at_places.expiring, 0)::int as expiring, at_places.next_expiry,
    devices.is_active and coalesce(at_places.in_stock - at_places.expired, 0) < devices.minimum as is_low
  from devices left join (
    select level.device_id, sum(level.quantity) as in_stock,
      coalesce(sum(level.quantity) filter (where lot.expires_on < ${today}::date), 0) as expired,
      coalesce(sum(level.quantity) filter (where lot.expires_on between ${today}::date and ${soon}::date), 0) as expiring,
      min(lot.expires_on) filter (where lot.expires_on >= ${today}::date) as next_expiry
    from stock_levels as level join device_lots as lot on lot.id = level.lot_id
    where level.quantity > 0 and level.place_id is not null group by level.device_id
  ) as at_places on at_places.device_id = devices.id
) as stocked`

const columns = sql`stocked.id, version, maker, model, size, kind, udi_di as "udiDi", side, has_serials as "hasSerials", is_sterile as "isSterile",
  minimum, is_active as "isActive", in_stock as "inStock", expired, expiring, next_expiry::text as "nextExpiry", is_low as "isLow"`

function matching({ search, kind, placeId, show }: DeviceFilters): SQL {
  const terms = (search ?? '').split(/\s+/).filter(Boolean)
  const wanted = [
    show === 'retired' ? sql`not is_active` : sql`(is_active or in_stock > 0)`,
    kind && sql`kind = ${kind}`,
    show === 'low' && sql`is_low`,
    show === 'expiring' && sql`expiring > 0`,
    show === 'expired' && sql`expired > 0`,
    placeId &&
      sql`exists (select from stock_levels as level where level.device_id = stocked.id and level.place_id = ${placeId} and level.quantity > 0)`,
    // A lot and a serial number are searched as they are, because one scans them.
    ...terms.map(
      (term) => sql`(position(fold(${term}::text) in fold(concat_ws(' ', maker, model, size, udi_di))) > 0
        or exists (select from stock_levels as level join device_lots as lot on lot.id = level.lot_id
          where level.device_id = stocked.id and level.quantity > 0 and level.place_id is not null
            and (upper(lot.lot) = upper(${term}::text) or upper(level.serial) = upper(${term}::text))))`,
    ),
  ].filter((condition) => condition !== undefined && condition !== false && condition !== '')
  return sql.join(wanted, sql` and `)
}

/** A page of the catalogue by name. Retired devices are listed while there is stock of them. */
export async function listDevices(scope: Scope, { page, limit, ...filters }: DeviceFilters & { page: number; limit: number }) {
  const from = sql`from ${stocked(stockDays(scope))} where ${matching(filters)}`
  const { rows } = await scope.db.execute<DeviceInList & { total: number }>(
    sql`select ${columns}, count(*) over ()::int as total ${from}
      order by fold(maker), fold(model), nullif(regexp_replace(size, '[^0-9].*$', ''), '')::numeric nulls first, fold(coalesce(size, '')), stocked.id limit ${limit} offset ${(page - 1) * limit}`,
  )
  const total = rows[0]?.total ?? (page > 1 ? await countOf(scope.db, from) : 0)
  return numberedPage({ data: rows, total }, { page, limit })
}

const countOf = async (db: Db, from: SQL): Promise<number> =>
  (await db.execute<{ total: number }>(sql`select count(*)::int as total ${from}`)).rows[0]!.total

/** How many devices need attention. */
export async function countWarnings(scope: Scope): Promise<{ low: number; expiring: number; expired: number }> {
  const { rows } = await scope.db.execute<{ low: number; expiring: number; expired: number }>(
    sql`select count(*) filter (where is_low)::int as low, count(*) filter (where expiring > 0)::int as expiring,
      count(*) filter (where expired > 0)::int as expired from ${stocked(stockDays(scope))}`,
  )
  return rows[0]!
}

/** A device with its lots in stock, the first to expire first; null if there is no such device. */
export async function getDevice(db: Db, scope: Pick<Scope, 'now' | 'env'>, id: string): Promise<DeviceStock | null> {
  const { rows } = await db.execute<DeviceInList>(sql`select ${columns} from ${stocked(stockDays(scope))} where stocked.id = ${id}`)
  const [found] = rows
  if (!found) return null
  const pieces = await db
    .select({ lot: deviceLots, serial: stockLevels.serial, placeId: stockLevels.placeId, quantity: stockLevels.quantity })
    .from(stockLevels)
    .innerJoin(deviceLots, eq(deviceLots.id, stockLevels.lotId))
    .where(and(eq(stockLevels.deviceId, id), sql`${stockLevels.quantity} > 0 and ${stockLevels.placeId} is not null`))
    .orderBy(sql`${deviceLots.expiresOn} nulls last`, asc(deviceLots.lot), asc(stockLevels.serial), asc(stockLevels.placeId))
  const lots = Map.groupBy(pieces, ({ lot }) => lot.id)
  return {
    ...found,
    lots: [...lots.values()].map((ofLot) => {
      const { deviceId: _, ...lot } = ofLot[0]!.lot
      return { ...lot, pieces: ofLot.map(({ serial, placeId, quantity }) => ({ serial, placeId: placeId!, quantity })) }
    }),
  }
}

/** Refusals of the unique indexes of the catalogue. */
function takenBy(error: unknown) {
  if (isDuplicate(error, 'devices_name')) return refuse('DEVICE_EXISTS')
  if (isDuplicate(error, 'devices_udi_di')) return refuse('UDI_TAKEN')
  throw error
}

export async function createDevice(scope: Scope, given: NewDevice) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [row] = await tx
        .insert(devices)
        .values({ ...given, createdAt: scope.now() })
        .returning()
      await recordChange(tx, scope, { action: 'created', kind: 'device', contactIds: [], after: row })
      await publish(tx, 'stock', row!.id)
      return (await getDevice(tx, scope, row!.id))!
    })
  } catch (error) {
    return takenBy(error)
  }
}

/** Null: no such device. HAS_STOCK: how it is counted, and whether it is an implant, cannot change once it was received. */
export async function changeDevice(scope: Scope, { id, version, ...wanted }: ChangedDevice) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [before] = await tx.select().from(devices).where(eq(devices.id, id)).for('update')
      if (!before) return null
      if (before.version !== version) return refuse('CHANGED_MEANWHILE')
      const changes = difference(before, { ...before, ...wanted })
      const isCountedOtherwise = 'hasSerials' in changes.after || isImplant(before.kind) !== isImplant({ ...before, ...wanted }.kind)
      if (isCountedOtherwise && (await tx.$count(deviceLots, eq(deviceLots.deviceId, id))) > 0) return refuse('HAS_STOCK')
      if (Object.keys(changes.after).length > 0) {
        await tx
          .update(devices)
          .set({ ...wanted, version: version + 1 })
          .where(eq(devices.id, id))
        const [changedBefore, changedAfter] = [changes.before, changes.after].map((part) => ({ id, ...part }))
        await recordChange(tx, scope, { action: 'changed', kind: 'device', contactIds: [], before: changedBefore, after: changedAfter })
        await publish(tx, 'stock', id)
      }
      return (await getDevice(tx, scope, id))!
    })
  } catch (error) {
    return takenBy(error)
  }
}

export const listPlaces = (db: Db) =>
  db
    .select()
    .from(stockPlaces)
    .orderBy(asc(sql`fold(${stockPlaces.name})`))

export async function addPlace(scope: Scope, { name }: { name: string }) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.insert(stockPlaces).values({ name }).onConflictDoNothing().returning()
    if (!row) return refuse('NAME_TAKEN')
    await recordChange(tx, scope, { action: 'created', kind: 'stock place', contactIds: [], after: row })
    await publish(tx, 'stock', row.id)
    return row
  })
}

/** Null: no such place. IN_USE: a place with stock stays in use. */
export async function changePlace(scope: Scope, { id, ...wanted }: { id: string; name: string; isActive: boolean }) {
  try {
    return await scope.db.transaction(async (tx) => {
      // Waits for movements to this place, and they for this.
      const [before] = await tx.select().from(stockPlaces).where(eq(stockPlaces.id, id)).for('update')
      if (!before) return null
      const stock = and(eq(stockLevels.placeId, id), sql`${stockLevels.quantity} > 0`)
      if (!wanted.isActive && (await tx.$count(stockLevels, stock)) > 0) return refuse('IN_USE')
      const changes = difference(before, { ...before, ...wanted })
      if (Object.keys(changes.after).length === 0) return before
      const [row] = await tx.update(stockPlaces).set(wanted).where(eq(stockPlaces.id, id)).returning()
      const [changedBefore, changedAfter] = [changes.before, changes.after].map((part) => ({ id, ...part }))
      await recordChange(tx, scope, { action: 'changed', kind: 'stock place', contactIds: [], before: changedBefore, after: changedAfter })
      await publish(tx, 'stock', id)
      return row!
    })
  } catch (error) {
    if (isDuplicate(error, 'stock_places_name')) return refuse('NAME_TAKEN')
    throw error
  }
}
