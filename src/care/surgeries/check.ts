import { and, asc, eq, gt, inArray, lt, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import { profiles } from '../../platform/auth/table.ts'
import { assignableRoles } from '../../crm/contacts/rules.ts'
import { problemOfAssignee } from '../../crm/contacts/service.ts'
import { rooms } from '../../platform/practice/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import type { Overlap } from '../reservations/service.ts'
import { surgeryMessages } from './contract.ts'
import type { Row } from './lock.ts'
import { type CaseProcedure, holding } from './rules.ts'
import { surgeries } from './table.ts'

export interface FieldErrors {
  invalid: Record<string, string>
}

type Team = Pick<Row, 'surgeonId' | 'assistantIds' | 'roomId'>

/** Anyone who may be a patient's provider may operate, and all of the staff assist; a room has to be in use. What a case has already may stay. */
export async function problemsOf(tx: Db, { surgeonId, assistantIds, roomId }: Team, before: Team | null): Promise<FieldErrors | null> {
  const invalid: Record<string, string> = {}
  if (surgeonId && surgeonId !== before?.surgeonId && (await problemOfAssignee(tx, surgeonId, assignableRoles.assignedProviderId)))
    invalid.surgeonId = surgeryMessages.noSurgeon
  const fresh = [...new Set(assistantIds.filter((id) => !before?.assistantIds.includes(id)))]
  if (fresh.length > 0 && (await countActive(tx, fresh)) < fresh.length) invalid.assistantIds = surgeryMessages.noAssistant
  if (surgeonId && assistantIds.includes(surgeonId)) invalid.assistantIds = surgeryMessages.surgeonAssists
  if (roomId && roomId !== before?.roomId) {
    const [room] = await tx.select({ isActive: rooms.isActive }).from(rooms).where(eq(rooms.id, roomId))
    if (!room?.isActive) invalid.roomId = surgeryMessages.noRoom
  }
  return Object.keys(invalid).length > 0 ? { invalid } : null
}

/**
 * Another surgery of the same patient at the same time, if there is one: no one lies on two tables. Their record is locked by anyone who asks, so
 * this stays true until they are done. It is no constraint: a merge brings together what two records hold, a surgery entered twice with it.
 */
export async function clashOf(
  tx: Db,
  { id, contactId, startsAt, endsAt }: Pick<Row, 'id' | 'contactId' | 'startsAt' | 'endsAt'>,
): Promise<Overlap | null> {
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
  return other ? { overlap: { what: 'patient', by: 'surgery', ...other } } : null
}

const countActive = (tx: Db, ids: string[]): Promise<number> =>
  tx.$count(profiles, and(inArray(profiles.id, ids), eq(profiles.status, 'active')))

/** The procedures with these ids, in that order, with their names. One that has left the list since may stay in its case. */
export async function proceduresOf(
  tx: Db,
  ids: readonly string[],
  before: readonly CaseProcedure[],
): Promise<CaseProcedure[] | FieldErrors> {
  const listed = await tx
    .select({ id: procedures.id, name: procedures.name, isActive: procedures.isActive })
    .from(procedures)
    .where(inArray(procedures.id, [...ids]))
  const found = ids.map((id) => {
    const kept = before.find((one) => one.id === id)
    const now = listed.find((one) => one.id === id && (one.isActive || kept !== undefined))
    return now ? { id, name: now.name } : kept
  })
  return found.every((one) => one !== undefined) ? found : { invalid: { procedureIds: surgeryMessages.noProcedure } }
}
