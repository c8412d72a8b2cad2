import { and, asc, desc, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isOverlap } from '../../kernel/errors.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import type { OverlapData } from './contract.ts'
import { timeHolds } from './table.ts'

/** What an appointment or a surgery takes up. */
export interface Taken {
  /** Of the appointment or the surgery. */
  id: string
  providerId: string | null
  roomId: string | null
  startsAt: Date
  endsAt: Date
}

export type Take = (taken: Taken) => Promise<void>

/** What is taken already, and by the appointment or surgery of which time. */
export const refuseOverlap = (overlap: OverlapData) => refuse('OVERLAP', overlap)

/**
 * A transaction that gives an appointment or a surgery a time. Whether it is free is the database's to say: a check before could be true for
 * two at once. `take` is to be called before the row is written, when everything else is locked.
 */
export async function unlessTaken<Result>(
  scope: Scope,
  work: (tx: Db, take: Take) => Promise<Result>,
): Promise<Result | ReturnType<typeof refuseOverlap>> {
  const last: { wanted: Taken | null; hit: OverlapData | null } = { wanted: null, hit: null }
  const findHit = async () => (last.hit = last.wanted && (await hitBy(scope.db, last.wanted)))
  try {
    return await transact(
      scope.db,
      (tx) =>
        work(tx, async (wanted) => {
          last.wanted = wanted
          await queueFor(tx, wanted)
        }),
      // What was in the way may be gone by now.
      async (error) => isOverlap(error) && (await findHit()) === null,
    )
  } catch (error) {
    if (!isOverlap(error) || !last.wanted) throw error
    const { wanted, hit } = last
    const { startsAt, endsAt } = wanted
    return refuseOverlap(hit ?? { what: wanted.providerId ? 'provider' : 'room', startsAt, endsAt, by: 'appointment' })
  }
}

/**
 * Anyone who wants the same provider or room waits here for one another, in one order: two that met in the constraint itself would each wait for
 * the other, until PostgreSQL ends one a second later.
 */
async function queueFor(tx: Db, { providerId, roomId }: Taken): Promise<void> {
  const ids = idsOf({ providerId, roomId })
  if (ids.length === 0) return
  await tx.execute(sql`
    select pg_advisory_xact_lock(key)
    from (select hashtextextended('time of ' || id, 0) as key from unnest(${sql.param(ids)}::text[]) as id order by key) as keys`)
}

const idsOf = ({ providerId, roomId }: Pick<Taken, 'providerId' | 'roomId'>): string[] => [providerId, roomId].filter((id) => id !== null)

/** What is in the way of this time: the provider's before the room's. */
async function hitBy(db: Db, { id, startsAt, endsAt, ...where }: Taken): Promise<OverlapData | null> {
  const [hit] = await db
    .select()
    .from(timeHolds)
    .where(
      and(
        inArray(timeHolds.resourceId, idsOf(where)),
        sql`coalesce(${timeHolds.appointmentId}, ${timeHolds.surgeryId}) <> ${id}`,
        lt(timeHolds.startsAt, endsAt),
        gt(timeHolds.endsAt, startsAt),
      ),
    )
    .orderBy(desc(sql`${timeHolds.what} = 'provider'`), asc(timeHolds.startsAt))
    .limit(1)
  return hit ? { what: hit.what, startsAt: hit.startsAt, endsAt: hit.endsAt, by: hit.surgeryId ? 'surgery' : 'appointment' } : null
}
