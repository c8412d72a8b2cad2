import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { assignVisit, isWorking, type OfferedVisit, readVisitType, visitNeeds } from '../../availability/service.ts'
import { findConflict, lockResources, placeProblems, refuseOverlap } from '../../reservations/service.ts'
import type { Row } from '../bookings.ts'
import { appointmentMessages } from '../contract.ts'

type Where = Pick<Row, 'providerId' | 'roomId' | 'visitTypeId' | 'secondPersonId'>

/**
 * The visit type of an appointment (null without one), or the field errors of visit type, people and room. Those that it has (`before`) are
 * always valid.
 */
export async function checkPlace(tx: Db, wanted: Where, before: Where | null) {
  const { provider, room } = await placeProblems(tx, wanted, before, appointmentMessages)
  const isNew = (key: keyof Where) => wanted[key] !== null && wanted[key] !== before?.[key]
  const type = wanted.visitTypeId === null ? null : await readVisitType(tx, wanted.visitTypeId)
  const isLimited = (key: keyof Where) => type !== null && (isNew(key) || isNew('visitTypeId')) && wanted[key] !== null
  const problems = {
    ...(isNew('visitTypeId') && !type && { visitTypeId: appointmentMessages.noVisitType }),
    ...(isLimited('providerId') && !type!.providerIds.includes(wanted.providerId!) && { providerId: appointmentMessages.notTheirVisit }),
    ...(isLimited('roomId') && type!.needsRoom && !type!.roomIds.includes(wanted.roomId!) && { roomId: appointmentMessages.notItsRoom }),
    ...(await secondProblem(tx, wanted, isNew('secondPersonId'))),
    ...(provider && { providerId: provider }),
    ...(room && { roomId: room }),
  }
  return Object.keys(problems).length > 0 ? invalidReference(problems) : type
}

async function secondProblem(tx: Db, { providerId, secondPersonId }: Where, isNew: boolean): Promise<{ secondPersonId?: string }> {
  if (secondPersonId === null) return {}
  if (secondPersonId === providerId) return { secondPersonId: appointmentMessages.isProvider }
  if (!isNew) return {}
  const isActive = (await tx.$count(profiles, and(eq(profiles.id, secondPersonId), eq(profiles.status, 'active')))) > 0
  return isActive ? {} : { secondPersonId: appointmentMessages.noSecond }
}

/** Whether the provider, or the practice without one, works through the whole period. */
export const isOpen = (tx: Db, { env }: Scope, period: Pick<Row, 'providerId' | 'startsAt' | 'endsAt'>): Promise<boolean> =>
  isWorking(tx, env.PRACTICE_TIME_ZONE, period)

type Wanted = Where & Pick<Row, 'id' | 'startsAt' | 'endsAt'>

/**
 * Adds the buffers of the visit type, and chooses the equipment, and the people and the room that are not given, among those who are free. Locks all who may be
 * chosen first, so that two requests at once choose different ones.
 */
export async function fillVisit(tx: Db, { env }: Scope, type: OfferedVisit, wanted: Wanted, anyHours: boolean) {
  const { startsAt, endsAt } = wanted
  const visit = visitNeeds(type, { ...wanted, except: wanted.id, minutes: (endsAt.getTime() - startsAt.getTime()) / 60_000 })
  await lockResources(tx, [...(visit.providerIds ?? []), ...(visit.secondIds ?? []), ...(visit.roomIds ?? []), ...visit.unitIds.flat()])
  const assignable = (isAnyHours: boolean) => assignVisit(tx, env.PRACTICE_TIME_ZONE, visit, startsAt, isAnyHours)
  const { bufferBefore, bufferAfter } = type
  const chosen = await assignable(anyHours)
  if (chosen) {
    const { providerId, secondId: secondPersonId, roomId, unitIds: equipmentUnitIds } = chosen
    return { providerId, secondPersonId, roomId, equipmentUnitIds, bufferBefore, bufferAfter }
  }
  if (!anyHours && (await assignable(true))) return refuse('OUTSIDE_HOURS')
  const conflict = await findConflict(tx, { ...wanted, bufferBefore, bufferAfter })
  return conflict ? refuseOverlap(conflict) : refuse('NO_OPENING')
}

/**
 * Chooses the equipment of a visit that moves or changes, whose people and room are given, among what is free. What is free there is also the
 * visit's own. Refuses as an overlap does.
 */
export async function fillEquipment(
  tx: Db,
  { env }: Scope,
  type: OfferedVisit,
  wanted: Wanted & Pick<Row, 'bufferBefore' | 'bufferAfter'>,
) {
  const { startsAt, endsAt, bufferBefore, bufferAfter } = wanted
  await lockResources(tx, type.unitIds.flat())
  const minutes = (endsAt.getTime() - startsAt.getTime()) / 60_000
  const onlyUnits = {
    ...visitNeeds(type, { minutes, except: wanted.id }),
    providerIds: null,
    secondIds: null,
    maxPerDay: null,
    bufferBefore,
    bufferAfter,
  }
  const chosen = await assignVisit(
    tx,
    env.PRACTICE_TIME_ZONE,
    { ...onlyUnits, roomIds: wanted.roomId ? [wanted.roomId] : null },
    startsAt,
    true,
  )
  return chosen ? chosen.unitIds : refuseOverlap({ what: 'equipment', startsAt, endsAt, by: 'appointment' })
}
