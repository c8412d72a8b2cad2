import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { locations } from '../../platform/practice/table.ts'
import { availabilityMessages, type Equipment } from './contract.ts'
import { visitLimits } from './rules.ts'
import { equipment, equipmentUnits } from './table.ts'

const columns = {
  id: equipment.id,
  name: equipment.name,
  isActive: equipment.isActive,
  units: sql<Equipment['units']>`coalesce((
    select json_agg(json_build_object('locationId', location_id, 'count', count) order by location_id)
    from (select location_id, count(*)::int as count from equipment_units where equipment_id = equipment.id and is_active group by 1) as counted), '[]')`,
}

export const listEquipment = ({ db }: Pick<Scope, 'db'>): Promise<Equipment[]> =>
  db
    .select(columns)
    .from(equipment)
    .orderBy(desc(equipment.isActive), asc(sql`fold(${equipment.name})`))

const getEquipment = async (db: Db, id: string): Promise<Equipment> =>
  (await db.select(columns).from(equipment).where(eq(equipment.id, id)))[0]!

/** The active pieces of each kind of equipment, by kind and in order. */
export async function unitsOf(db: Db, ids: readonly string[]): Promise<string[][]> {
  if (ids.length === 0) return []
  const rows = await db
    .select({ id: equipmentUnits.id, equipmentId: equipmentUnits.equipmentId })
    .from(equipmentUnits)
    .innerJoin(equipment, eq(equipment.id, equipmentUnits.equipmentId))
    .where(and(inArray(equipmentUnits.equipmentId, [...ids]), eq(equipmentUnits.isActive, true), eq(equipment.isActive, true)))
    .orderBy(asc(equipmentUnits.number), asc(equipmentUnits.id))
  return ids.map((wanted) => rows.filter(({ equipmentId }) => equipmentId === wanted).map(({ id }) => id))
}

type Fields = Pick<Equipment, 'name' | 'units'>

export const addEquipment = (scope: Scope, { name, units }: Fields) =>
  orTaken(
    scope.db.transaction(async (tx) => {
      const invalid = await problemOf(tx, units)
      if (invalid) return invalid
      await tx.execute(sql`lock table ${equipment} in share row exclusive mode`)
      if ((await tx.$count(equipment)) >= visitLimits.equipment) return refuse('TOO_MANY')
      const [row] = await tx.insert(equipment).values({ name, createdAt: scope.now() }).returning()
      await setUnits(tx, row!.id, units)
      return written(tx, scope, row!.id, undefined)
    }),
  )

/** Changes equipment; null if it does not exist. Pieces that are no longer there are not offered, and stay with the visits that have them. */
export const changeEquipment = (scope: Scope, { id, units, ...fields }: Fields & Pick<Equipment, 'id' | 'isActive'>) =>
  orTaken(
    scope.db.transaction(async (tx) => {
      const [locked] = await tx.select({ id: equipment.id }).from(equipment).where(eq(equipment.id, id)).for('no key update')
      if (!locked) return null
      const invalid = await problemOf(tx, units)
      if (invalid) return invalid
      const before = await getEquipment(tx, id)
      await tx.update(equipment).set(fields).where(eq(equipment.id, id))
      await setUnits(tx, id, units)
      return written(tx, scope, id, before)
    }),
  )

async function problemOf(tx: Db, units: Equipment['units']) {
  const ids = units.map(({ locationId }) => locationId)
  const known = ids.length === 0 ? 0 : await tx.$count(locations, inArray(locations.id, ids))
  return known < ids.length ? invalidReference({ units: availabilityMessages.noLocation }) : null
}

async function setUnits(tx: Db, equipmentId: string, units: Equipment['units']): Promise<void> {
  const countAt = new Map(units.map(({ locationId, count }) => [locationId, count]))
  const rows = [...countAt].flatMap(([locationId, count]) =>
    Array.from({ length: count }, (_, place) => ({ equipmentId, locationId, number: place + 1 })),
  )
  await tx.update(equipmentUnits).set({ isActive: false }).where(eq(equipmentUnits.equipmentId, equipmentId))
  if (rows.length === 0) return
  await tx
    .insert(equipmentUnits)
    .values(rows)
    .onConflictDoUpdate({ target: [equipmentUnits.equipmentId, equipmentUnits.locationId, equipmentUnits.number], set: { isActive: true } })
}

async function written(tx: Db, scope: Scope, id: string, before: Equipment | undefined): Promise<Equipment> {
  const after = await getEquipment(tx, id)
  await recordChange(tx, scope, {
    action: before ? 'changed' : 'created',
    kind: 'equipment',
    contactIds: [],
    ...(before && { before }),
    after,
  })
  await publish(tx, 'practice', id)
  return after
}

async function orTaken<Result>(work: Promise<Result>) {
  try {
    return await work
  } catch (error) {
    if (isDuplicate(error, 'equipment_name')) return refuse('NAME_TAKEN')
    throw error
  }
}
