import { and, gt, inArray, lt, ne, or, isNull } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { beginningOf, dayAt, daysLater } from '../../shared/zoned-time.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { timeHolds } from '../reservations/table.ts'
import type { Openings } from './contract.ts'
import { openingsOf } from './opening-rules.ts'

interface Wanted {
  from: string
  days: number
  minutes: number
  providerId?: string | undefined
  roomId?: string | undefined
  /** The appointment that is being moved, which is ignored. */
  except?: string | undefined
}

/** Days searched for the next opening. */
const searchDays = 90

/** Times when the provider and the room are both free: day by day, and the next one from now on. Reveals no patient. */
export async function findOpenings(scope: Scope, { from, days, minutes, providerId, roomId, except }: Wanted): Promise<Openings> {
  const { db, env } = scope
  const [now, timeZone] = [scope.now(), env.PRACTICE_TIME_ZONE]
  const today = dayAt(now, timeZone)
  const ids = [providerId, roomId].filter((id) => id !== undefined)
  const hours = await db.select().from(practiceHours)

  const within = async (first: string, count: number) => {
    const taken =
      ids.length === 0
        ? []
        : await db
            .select({ startsAt: timeHolds.startsAt, endsAt: timeHolds.endsAt })
            .from(timeHolds)
            .where(
              and(
                inArray(timeHolds.resourceId, ids),
                gt(timeHolds.endsAt, beginningOf(first, timeZone)),
                lt(timeHolds.startsAt, beginningOf(daysLater(first, count), timeZone)),
                except ? or(isNull(timeHolds.appointmentId), ne(timeHolds.appointmentId, except)) : undefined,
              ),
            )
    return openingsOf({ from: first, days: count, minutes, hours, taken, now, timeZone })
  }

  const next = (await within(today, searchDays)).find(({ times }) => times.length > 0)
  return { days: await within(from, days), next: next ? { day: next.day, time: next.times[0]! } : null }
}
