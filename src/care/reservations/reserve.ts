import { and, asc, desc, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isOverlap } from '../../kernel/errors.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import type { OverlapData } from './contract.ts'
import { timeHolds } from './table.ts'

/** The time, people, room and equipment that an appointment or a surgery occupies. */
export interface Reservation {
  /** The id of the appointment or the surgery. */
  id: string
  providerId: string | null
  secondPersonId?: string | null
  roomId: string | null
  /** Pieces of equipment. */
  equipmentUnitIds?: readonly string[]
  startsAt: Date
  endsAt: Date
  /** Minutes that are kept free before and after it. */
  bufferBefore?: number
  bufferAfter?: number
}

export type Reserve = (reservation: Reservation) => Promise<void>

/** The refusal for an overlap, with the existing booking. */
export const refuseOverlap = (overlap: OverlapData) => refuse('OVERLAP', overlap)

/**
 * Runs a transaction that reserves a time. Only the database's constraint decides whether the time is free, because an earlier check could
 * pass for two requests at once. `work` must call `reserve` before it writes the row, after locking everything else.
 */
export async function withReservation<Result>(
  scope: Scope,
  work: (tx: Db, reserve: Reserve) => Promise<Result>,
): Promise<Result | ReturnType<typeof refuseOverlap>> {
  const attempt: { wanted: Reservation | null; conflict: OverlapData | null } = { wanted: null, conflict: null }
  const findLatestConflict = async () => (attempt.conflict = attempt.wanted && (await findConflict(scope.db, attempt.wanted)))
  try {
    return await transact(
      scope.db,
      (tx) =>
        work(tx, async (wanted) => {
          attempt.wanted = wanted
          await lockResources(tx, idsOf(wanted))
        }),
      // Retry if the conflicting booking is gone by now.
      async (error) => isOverlap(error) && (await findLatestConflict()) === null,
    )
  } catch (error) {
    if (!isOverlap(error) || !attempt.wanted) throw error
    const { wanted, conflict } = attempt
    const { startsAt, endsAt } = wanted
    return refuseOverlap(conflict ?? { what: wanted.providerId ? 'provider' : 'room', startsAt, endsAt, by: 'appointment' })
  }
}

/**
 * Serializes requests for the same people or rooms, locking in a fixed order. Otherwise two requests could deadlock in the constraint,
 * until PostgreSQL aborts one a second later.
 */
export async function lockResources(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    select pg_advisory_xact_lock(key)
    from (select hashtextextended('time of ' || id, 0) as key from unnest(${sql.param([...ids])}::text[]) as id order by key) as keys`)
}

type Resources = Pick<Reservation, 'providerId' | 'secondPersonId' | 'roomId' | 'equipmentUnitIds'>
const idsOf = ({ providerId, secondPersonId = null, roomId, equipmentUnitIds = [] }: Resources): string[] =>
  [providerId, secondPersonId, roomId, ...equipmentUnitIds].filter((id) => id !== null)

/** The booking that overlaps, preferring the provider's over the second person's, and that over the room's. Its times include its buffers. */
export async function findConflict(db: Db, wanted: Reservation): Promise<OverlapData | null> {
  const { id, startsAt, endsAt, bufferBefore = 0, bufferAfter = 0 } = wanted
  const [conflict] = await db
    .select()
    .from(timeHolds)
    .where(
      and(
        inArray(timeHolds.resourceId, idsOf(wanted)),
        sql`coalesce(${timeHolds.appointmentId}, ${timeHolds.surgeryId}, ${timeHolds.bookingHoldId}) <> ${id}`,
        lt(timeHolds.startsAt, new Date(endsAt.getTime() + bufferAfter * 60_000)),
        gt(timeHolds.endsAt, new Date(startsAt.getTime() - bufferBefore * 60_000)),
      ),
    )
    .orderBy(desc(sql`${timeHolds.resourceId} = ${wanted.providerId}`), desc(sql`${timeHolds.what} = 'provider'`), asc(timeHolds.startsAt))
    .limit(1)
  if (!conflict) return null
  const isSecond = conflict.what === 'provider' && conflict.resourceId !== wanted.providerId
  return {
    what: isSecond ? 'second' : conflict.what,
    startsAt: conflict.startsAt,
    endsAt: conflict.endsAt,
    by: conflict.surgeryId ? 'surgery' : conflict.bookingHoldId ? 'booking' : 'appointment',
  }
}
