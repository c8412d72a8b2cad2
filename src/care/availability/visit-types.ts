import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { difference } from '../../kernel/audit/rules.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { assignableRoles } from '../../crm/contacts/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { currentFormVersion } from '../../chart/forms/service.ts'
import { rooms } from '../../platform/practice/table.ts'
import { availabilityMessages, type VisitType } from './contract.ts'
import { visitLimits, type VisitPart } from './rules.ts'
import { equipment, visitTypeEquipment, visitTypeForms, visitTypePeople, visitTypeRooms, visitTypes } from './table.ts'

const people = (part: VisitPart) => sql<string[]>`coalesce((
  select array_agg(profile_id order by profile_id) from visit_type_people where visit_type_id = visit_types.id and part = ${part}), '{}')`

const columns = {
  id: visitTypes.id,
  version: visitTypes.version,
  name: visitTypes.name,
  nameFr: visitTypes.nameFr,
  description: visitTypes.description,
  descriptionFr: visitTypes.descriptionFr,
  type: visitTypes.type,
  minutes: visitTypes.minutes,
  bufferBefore: visitTypes.bufferBefore,
  bufferAfter: visitTypes.bufferAfter,
  noticeHours: visitTypes.noticeHours,
  horizonDays: visitTypes.horizonDays,
  changeHours: visitTypes.changeHours,
  depositKind: visitTypes.depositKind,
  depositCents: visitTypes.depositCents,
  depositPercent: visitTypes.depositPercent,
  priceCents: visitTypes.priceCents,
  isDepositFirstOnly: visitTypes.isDepositFirstOnly,
  lateFeeCents: visitTypes.lateFeeCents,
  noShowFeeCents: visitTypes.noShowFeeCents,
  seriesVisits: visitTypes.seriesVisits,
  seriesWeeks: visitTypes.seriesWeeks,
  maxPerDay: visitTypes.maxPerDay,
  patients: visitTypes.patients,
  isOnline: visitTypes.isOnline,
  isActive: visitTypes.isActive,
  providerIds: people('provider'),
  secondIds: people('second'),
  /** In the order of the rooms, in which they are assigned. */
  roomIds: sql<string[]>`coalesce((
    select array_agg(room_id order by rooms.sort_order, room_id) from visit_type_rooms join rooms on rooms.id = room_id
    where visit_type_id = visit_types.id), '{}')`,
  equipmentIds: sql<string[]>`coalesce((
    select array_agg(equipment_id order by equipment_id) from visit_type_equipment where visit_type_id = visit_types.id), '{}')`,
  formIds: sql<string[]>`coalesce((
    select array_agg(template_id order by template_id) from visit_type_forms where visit_type_id = visit_types.id), '{}')`,
}

export const listVisitTypes = (db: Db): Promise<VisitType[]> =>
  db
    .select(columns)
    .from(visitTypes)
    .orderBy(desc(visitTypes.isActive), asc(visitTypes.sortOrder), asc(sql`fold(${visitTypes.name})`))

export async function getVisitType(db: Db, id: string): Promise<VisitType | null> {
  const [found] = await db.select(columns).from(visitTypes).where(eq(visitTypes.id, id))
  return found ?? null
}

type Fields = Omit<VisitType, 'id' | 'version' | 'isActive'>

/** Adds a visit type after the others. */
export async function addVisitType(scope: Scope, { providerIds, secondIds, roomIds, equipmentIds, formIds, ...fields }: Fields) {
  return scope.db.transaction(async (tx) => {
    const invalid = await problemsOf(tx, { providerIds, secondIds, roomIds, equipmentIds, formIds }, null)
    if (invalid) return invalid
    await tx.execute(sql`lock table ${visitTypes} in share row exclusive mode`)
    if ((await tx.$count(visitTypes)) >= visitLimits.visitTypes) return refuse('TOO_MANY')
    const now = scope.now()
    const [row] = await tx
      .insert(visitTypes)
      .values({ ...fields, createdAt: now, updatedAt: now, sortOrder: sql`(select coalesce(max(sort_order), 0) + 1 from visit_types)` })
      .onConflictDoNothing()
      .returning({ id: visitTypes.id })
    if (!row) return refuse('NAME_TAKEN')
    await setParts(tx, row.id, { providerIds, secondIds, roomIds, equipmentIds, formIds })
    const after = (await getVisitType(tx, row.id))!
    await recordChange(tx, scope, { action: 'created', kind: 'visit type', contactIds: [], after })
    await publish(tx, 'practice', row.id)
    return after
  })
}

/** Changes a visit type; null if it does not exist. Appointments that were booked with it keep their duration and buffers. */
export async function changeVisitType(scope: Scope, { id, version, ...wanted }: Fields & Pick<VisitType, 'id' | 'version' | 'isActive'>) {
  try {
    return await scope.db.transaction(async (tx) => {
      const [locked] = await tx.select({ version: visitTypes.version }).from(visitTypes).where(eq(visitTypes.id, id)).for('no key update')
      if (!locked) return null
      if (locked.version !== version) return refuse('CHANGED_MEANWHILE')
      const before = (await getVisitType(tx, id))!
      const invalid = await problemsOf(tx, wanted, before)
      if (invalid) return invalid
      const { providerIds, secondIds, roomIds, equipmentIds, formIds, ...fields } = wanted
      await tx
        .update(visitTypes)
        .set({ ...fields, version: version + 1, updatedAt: scope.now() })
        .where(eq(visitTypes.id, id))
      await setParts(tx, id, { providerIds, secondIds, roomIds, equipmentIds, formIds })
      const after = (await getVisitType(tx, id))!
      const changes = difference(before, after)
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'visit type',
        contactIds: [],
        before: { id, ...changes.before },
        after: { id, ...changes.after },
      })
      await publish(tx, 'practice', id)
      return after
    })
  } catch (error) {
    if (isDuplicate(error, 'visit_types_name')) return refuse('NAME_TAKEN')
    throw error
  }
}

/** Sets the order in which visit types are offered. Those that are not named follow. */
export const orderVisitTypes = (scope: Scope, ids: readonly string[]): Promise<VisitType[]> =>
  scope.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${visitTypes} in share row exclusive mode`)
    const before = await listVisitTypes(tx)
    await tx.execute(sql`
      update visit_types set sort_order = place
      from (
        select id, row_number() over (order by array_position(${sql.param([...ids])}::uuid[], id), sort_order, id) as place from visit_types
      ) as places
      where places.id = visit_types.id`)
    const after = await listVisitTypes(tx)
    const namesOf = (all: readonly VisitType[]) => ({ order: all.map(({ name }) => name) })
    await recordChange(tx, scope, { action: 'changed', kind: 'visit type', contactIds: [], before: namesOf(before), after: namesOf(after) })
    await publish(tx, 'practice', 'visit-types')
    return after
  })

type Parts = Pick<VisitType, 'providerIds' | 'secondIds' | 'roomIds' | 'equipmentIds' | 'formIds'>

async function setParts(tx: Db, visitTypeId: string, { providerIds, secondIds, roomIds, equipmentIds, formIds }: Parts): Promise<void> {
  await tx.delete(visitTypePeople).where(eq(visitTypePeople.visitTypeId, visitTypeId))
  await tx.delete(visitTypeRooms).where(eq(visitTypeRooms.visitTypeId, visitTypeId))
  await tx.delete(visitTypeEquipment).where(eq(visitTypeEquipment.visitTypeId, visitTypeId))
  await tx.delete(visitTypeForms).where(eq(visitTypeForms.visitTypeId, visitTypeId))
  const rows = [
    ...providerIds.map((profileId) => ({ visitTypeId, part: 'provider' as const, profileId })),
    ...secondIds.map((profileId) => ({ visitTypeId, part: 'second' as const, profileId })),
  ]
  await tx.insert(visitTypePeople).values(rows)
  if (roomIds.length > 0) await tx.insert(visitTypeRooms).values(roomIds.map((roomId) => ({ visitTypeId, roomId })))
  if (equipmentIds.length > 0) await tx.insert(visitTypeEquipment).values(equipmentIds.map((equipmentId) => ({ visitTypeId, equipmentId })))
  if (formIds.length > 0) await tx.insert(visitTypeForms).values(formIds.map((templateId) => ({ visitTypeId, templateId })))
}

/** Field errors for people, rooms, equipment and forms that are added and not active. Those that are there already may stay. */
async function problemsOf(tx: Db, wanted: Parts, before: Parts | null) {
  const added = (key: keyof Parts) => wanted[key].filter((id) => !before?.[key].includes(id))
  const [providers, seconds, places, items] = [added('providerIds'), added('secondIds'), added('roomIds'), added('equipmentIds')]
  const inUse = items.length === 0 ? 0 : await tx.$count(equipment, and(inArray(equipment.id, items), eq(equipment.isActive, true)))
  const sendable = await Promise.all(added('formIds').map((id) => currentFormVersion(tx, id)))
  const staff = await tx
    .select({ id: profiles.id, role: profiles.role })
    .from(profiles)
    .where(and(inArray(profiles.id, [...providers, ...seconds]), eq(profiles.status, 'active')))
  const active = await tx
    .select({ id: rooms.id })
    .from(rooms)
    .where(and(inArray(rooms.id, places), eq(rooms.isActive, true)))
  const seesPatients = (id: string) =>
    staff.some((one) => one.id === id && assignableRoles.assignedProviderId.some((role) => role === one.role))
  const problems = {
    ...(!providers.every(seesPatients) && { providerIds: availabilityMessages.noProvider }),
    ...(!seconds.every((id) => staff.some((one) => one.id === id)) && { secondIds: availabilityMessages.noSecond }),
    ...(active.length < places.length && { roomIds: availabilityMessages.noRoom }),
    ...(inUse < items.length && { equipmentIds: availabilityMessages.noEquipment }),
    ...(sendable.includes(null) && { formIds: availabilityMessages.noForm }),
  }
  return Object.keys(problems).length > 0 ? invalidReference(problems) : null
}
