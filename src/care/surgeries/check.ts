import { and, asc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import { profiles } from '../../platform/auth/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { placeProblems, refuseOverlap } from '../reservations/service.ts'
import { surgeryMessages } from './contract.ts'
import type { Row } from './bookings.ts'
import { type CaseProcedure, blockingStatuses } from './rules.ts'
import { surgeries } from './table.ts'

type Team = Pick<Row, 'surgeonId' | 'assistantIds' | 'roomId'>

const placeOf = ({ surgeonId, roomId }: Team) => ({ providerId: surgeonId, roomId })

/**
 * Field errors for surgeon, assistants and room; null if there are none. Any active staff member may assist. Current values (`before`) are
 * valid.
 */
export async function problemsOf(tx: Db, wanted: Team, before: Team | null) {
  const { surgeonId, assistantIds } = wanted
  const messages = { noProvider: surgeryMessages.noSurgeon, noRoom: surgeryMessages.noRoom }
  const { provider, room } = await placeProblems(tx, placeOf(wanted), before && placeOf(before), messages)
  const addedAssistants = [...new Set(assistantIds.filter((id) => !before?.assistantIds.includes(id)))]
  const invalid: Record<string, string> = {}
  if (provider) invalid.surgeonId = provider
  if (addedAssistants.length > 0 && (await countActive(tx, addedAssistants)) < addedAssistants.length)
    invalid.assistantIds = surgeryMessages.noAssistant
  if (surgeonId && assistantIds.includes(surgeonId)) invalid.assistantIds = surgeryMessages.surgeonAssists
  if (room) invalid.roomId = room
  return Object.keys(invalid).length > 0 ? invalidReference(invalid) : null
}

/**
 * The refusal for another surgery of the same patient at the same time, or null. The caller holds the patient's lock, so the result stays
 * true until it commits. There is no database constraint, because a merge may join two records that both hold the same surgery.
 */
export async function findPatientOverlap(
  tx: Db,
  { id, contactId, startsAt, endsAt }: Pick<Row, 'id' | 'contactId' | 'startsAt' | 'endsAt'>,
): Promise<ReturnType<typeof refuseOverlap> | null> {
  const [other] = await tx
    .select({ startsAt: surgeries.startsAt, endsAt: surgeries.endsAt })
    .from(surgeries)
    .where(
      and(
        eq(surgeries.contactId, contactId),
        ne(surgeries.id, id),
        inArray(surgeries.status, [...blockingStatuses]),
        lt(surgeries.startsAt, endsAt),
        gt(surgeries.endsAt, startsAt),
      ),
    )
    .orderBy(asc(surgeries.startsAt))
    .limit(1)
  return other ? refuseOverlap({ what: 'patient', by: 'surgery', ...other }) : null
}

const countActive = (tx: Db, ids: string[]): Promise<number> =>
  tx.$count(profiles, and(inArray(profiles.id, ids), eq(profiles.status, 'active')))

/** The procedures with these ids, in that order, with their names. A retired procedure may stay in its case. */
export async function resolveProcedures(tx: Db, ids: readonly string[], before: readonly CaseProcedure[]) {
  const listed = await tx
    .select({ id: procedures.id, name: procedures.name, isActive: procedures.isActive })
    .from(procedures)
    .where(inArray(procedures.id, [...ids]))
  const found = ids.map((id) => {
    const current = before.find((one) => one.id === id)
    const listedNow = listed.find((one) => one.id === id && (one.isActive || current !== undefined))
    return listedNow ? { id, name: listedNow.name } : current
  })
  return found.every((one) => one !== undefined) ? found : invalidReference({ procedureIds: surgeryMessages.noProcedure })
}
