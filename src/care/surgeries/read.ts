import { and, asc, desc, eq, gt, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { beginningOf, dayAt } from '../../shared/zoned-time.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { recordViews, overlapsPeriod } from '../reservations/service.ts'
import { maxShown, type Surgery } from './contract.ts'
import { withChecklists } from './checklists/with-checklists.ts'
import { upcomingStatuses, blockingStatuses, maxMinutes, type ShownStatus, type SurgeryStatus } from './rules.ts'
import { surgeries, surgeryItems } from './table.ts'

const select = (db: Db, condition: SQL | undefined) =>
  db
    .select({ surgery: surgeries, contact: contacts })
    .from(surgeries)
    .innerJoin(contacts, eq(contacts.id, surgeries.contactId))
    .where(condition)

interface Wanted {
  from?: Date | undefined
  to?: Date | undefined
  surgeonId?: string | undefined
  roomId?: string | undefined
  status?: ShownStatus | undefined
  missing: 'true' | 'false'
}

/**
 * The cases that overlap a period or, without one, upcoming cases in order, or past ones newest first. `isTruncated`: there are more than
 * one call returns.
 */
export async function listSurgeries(scope: Scope, { from, to, surgeonId, roomId, status, missing }: Wanted) {
  const found = await select(
    scope.db,
    and(
      isWithin(scope, from, to, status),
      inArray(surgeries.status, statusesOf(status, from !== undefined)),
      surgeonId ? eq(surgeries.surgeonId, surgeonId) : undefined,
      roomId ? eq(surgeries.roomId, roomId) : undefined,
    ),
  )
    .orderBy(
      ...(isPastStatus(status) && !from ? [desc(surgeries.startsAt), desc(surgeries.id)] : [asc(surgeries.startsAt), asc(surgeries.id)]),
    )
    .limit(maxShown + 1)
  const data = (await withChecklists(scope.db, scope, found.slice(0, maxShown))).filter(
    (one) => (status !== 'ready' || one.shownStatus === 'ready') && (missing === 'false' || one.missing.length > 0),
  )
  await recordViews(scope, 'surgery', data)
  return { data, isTruncated: found.length > maxShown }
}

/** Whether cases of this status are past or no longer scheduled. */
const isPastStatus = (status: ShownStatus | undefined): boolean =>
  status === 'completed' || status === 'postponed' || status === 'cancelled'

const statusesOf = (status: ShownStatus | undefined, isPeriod: boolean): SurgeryStatus[] => {
  if (status === undefined) return [...(isPeriod ? blockingStatuses : upcomingStatuses)]
  return [status === 'ready' ? 'confirmed' : status]
}

/** Without a period or a status, only upcoming cases. A status includes past days, because the outcome may not be recorded yet. */
function isWithin({ now, env }: Scope, from: Date | undefined, to: Date | undefined, status: ShownStatus | undefined): SQL | undefined {
  if (from && to) return overlapsPeriod(surgeries, from, to, maxMinutes)
  if (status !== undefined && status !== 'ready') return undefined
  const zone = env.PRACTICE_TIME_ZONE
  return gte(surgeries.startsAt, beginningOf(dayAt(now(), zone), zone))
}

const ofContact = prepared((db) =>
  select(db, eq(surgeries.contactId, sql.placeholder('contactId')))
    .orderBy(desc(surgeries.startsAt), desc(surgeries.id))
    .prepare('surgeries'),
)

/** A patient's cases, newest first. Null if there is no such patient. */
export async function surgeriesOf(scope: Scope, contactId: string): Promise<Surgery[] | null> {
  const found = await readOfPatient(scope, 'surgery', contactId, ofContact(scope.db).execute({ contactId }))
  return found && withChecklists(scope.db, scope, found)
}

/** One case, or null. */
export async function getSurgery(db: Db, scope: Scope, id: string): Promise<Surgery | null> {
  const [one] = await withChecklists(db, scope, await select(db, eq(surgeries.id, id)))
  return one ?? null
}

/** As far as consent forms depend on them. */
const selectCases = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      id: surgeries.id,
      contactId: surgeries.contactId,
      procedures: surgeries.procedures,
      surgeonId: surgeries.surgeonId,
      startsAt: surgeries.startsAt,
    })
    .from(surgeries)
    .where(condition)

export const casesWithIds = (db: Db, ids: readonly string[]) => selectCases(db, inArray(surgeries.id, [...ids]))

/** Upcoming cases that are not ready without their consents. */
export const casesAwaitingConsents = (db: Db, now: Date) => {
  const { surgeryId, kind, isRequired, dueDays } = surgeryItems
  const awaiting = db
    .select({ id: surgeryId })
    .from(surgeryItems)
    .where(and(eq(kind, 'consents'), eq(isRequired, true), lte(dueDays, 0)))
  return selectCases(db, and(inArray(surgeries.status, [...upcomingStatuses]), gt(surgeries.endsAt, now), inArray(surgeries.id, awaiting)))
}

export async function viewSurgery(scope: Scope, id: string): Promise<Surgery | null> {
  const found = await getSurgery(scope.db, scope, id)
  if (found) await recordViews(scope, 'surgery', [found])
  return found
}
