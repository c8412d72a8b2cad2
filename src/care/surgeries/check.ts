import { and, asc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import { profiles } from '../../platform/auth/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { problemsOfPlace, refuseOverlap } from '../reservations/service.ts'
import { surgeryMessages } from './contract.ts'
import type { Row } from './bookings.ts'
import { type CaseProcedure, holding } from './rules.ts'
import { surgeries } from './table.ts'

type Team = Pick<Row, 'surgeonId' | 'assistantIds' | 'roomId'>

const placeOf = ({ surgeonId, roomId }: Team) => ({ providerId: surgeonId, roomId })

/** Whom and where a case may not have, by its fields; null: nothing is wrong. All of the staff may assist. What it has already may stay. */
export async function problemsOf(tx: Db, wanted: Team, before: Team | null) {
  const { surgeonId, assistantIds } = wanted
  const messages = { noProvider: surgeryMessages.noSurgeon, noRoom: surgeryMessages.noRoom }
  const { provider, room } = await problemsOfPlace(tx, placeOf(wanted), before && placeOf(before), messages)
  const fresh = [...new Set(assistantIds.filter((id) => !before?.assistantIds.includes(id)))]
  const invalid: Record<string, string> = {}
  if (provider) invalid.surgeonId = provider
  if (fresh.length > 0 && (await countActive(tx, fresh)) < fresh.length) invalid.assistantIds = surgeryMessages.noAssistant
  if (surgeonId && assistantIds.includes(surgeonId)) invalid.assistantIds = surgeryMessages.surgeonAssists
  if (room) invalid.roomId = room
  return Object.keys(invalid).length > 0 ? invalidReference(invalid) : null
}

/**
 * Another surgery of the same patient at the same time, if there is one: no one lies on two tables. Their record is locked by anyone who asks, so
 * this stays true until they are done. It is no constraint: a merge brings together what two records hold, a surgery entered twice with it.
 */
export async function clashOf(
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
        inArray(surgeries.status, [...holding]),
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

/** The procedures with these ids, in that order, with their names. One that has left the list since may stay in its case. */
export async function proceduresOf(tx: Db, ids: readonly string[], before: readonly CaseProcedure[]) {
  const listed = await tx
    .select({ id: procedures.id, name: procedures.name, isActive: procedures.isActive })
    .from(procedures)
    .where(inArray(procedures.id, [...ids]))
  const found = ids.map((id) => {
    const kept = before.find((one) => one.id === id)
    const now = listed.find((one) => one.id === id && (one.isActive || kept !== undefined))
    return now ? { id, name: now.name } : kept
  })
  return found.every((one) => one !== undefined) ? found : invalidReference({ procedureIds: surgeryMessages.noProcedure })
}
