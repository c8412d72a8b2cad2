import { v5 as uuidv5 } from 'uuid'
import { isRefusal, refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { weekdayOf } from '../../../platform/practice/rules.ts'
import { dayAt, daysLater, instantOf, toLocal } from '../../../shared/zoned-time.ts'
import { toDate } from '../../availability/interval-rules.ts'
import { assignVisit, readVisitType, searchDays, visitNeeds } from '../../availability/service.ts'
import { bookings } from '../bookings.ts'
import type { SeriesDate } from '../contract.ts'
import { inserting, type NewAppointment, recording } from './book.ts'

interface WantedSeries {
  visitTypeId: string
  /** Of the first visit. */
  startsAt: Date
  minutes: number
  providerId?: string | undefined
  secondPersonId?: string | undefined
  roomId?: string | undefined
}

/**
 * The dates of a series. The first is as given; the others have its weekday and time on the practice's clock, or the nearest opening in that week,
 * Monday to Sunday. Null if the visit type is not offered or not a series.
 */
export async function findSeriesDates(scope: Scope, { visitTypeId, startsAt, ...given }: WantedSeries): Promise<SeriesDate[] | null> {
  const type = await readVisitType(scope.db, visitTypeId)
  if (type?.seriesVisits == null || type.seriesWeeks === null) return null
  const zone = scope.env.PRACTICE_TIME_ZONE
  const visit = visitNeeds(type, given)
  const { day, time } = toLocal(startsAt, zone)
  const dates: SeriesDate[] = [{ number: 1, wantedAt: startsAt, startsAt }]
  for (let number = 2; number <= type.seriesVisits; number++) {
    const wantedAt = instantOf({ day: daysLater(day, (number - 1) * type.seriesWeeks * 7), time }, zone)
    const isPossible = (await assignVisit(scope.db, zone, visit, wantedAt, false)) !== null
    dates.push({ number, wantedAt, startsAt: isPossible ? wantedAt : await nearestInWeek(scope, visit, wantedAt) })
  }
  return dates
}

async function nearestInWeek(scope: Scope, visit: ReturnType<typeof visitNeeds>, wantedAt: Date): Promise<Date | null> {
  const day = dayAt(wantedAt, scope.env.PRACTICE_TIME_ZONE)
  const starts = (await searchDays(scope, visit, daysLater(day, 1 - weekdayOf(day)), 7)).map(toDate)
  const distance = (start: Date) => Math.abs(start.getTime() - wantedAt.getTime())
  return starts.toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}

interface NewSeries extends Omit<NewAppointment, 'startsAt' | 'series' | 'visitTypeId'> {
  visitTypeId: string
  starts: readonly Date[]
}

/**
 * Books all visits of a series, once per idempotency key: all or, if one is refused, none. The key of each but the first is derived from it.
 * Refuses a number of visits that is not the visit type's.
 */
export async function bookSeries(scope: Scope, { starts, ...given }: NewSeries) {
  const id = given.idempotencyKey
  const visits = starts.map((startsAt, at) => ({
    ...given,
    startsAt,
    series: { id, number: at + 1, visits: starts.length },
    idempotencyKey: at === 0 ? id : uuidv5(String(at + 1), id),
  }))
  return bookings.bookAll(
    scope,
    visits,
    (visit) => async (tx, columns, reserve) => {
      const inserted = await inserting(scope, visit)(tx, columns, reserve)
      if (!isRefusal(inserted) || !('data' in inserted) || inserted.data !== undefined) return inserted
      const { number, visits: count } = visit.series
      return refuse(inserted.refusal, undefined, `Visit ${number} of ${count}: ${problems[inserted.refusal]}`)
    },
    recording(scope),
  )
}

const problems = {
  OUTSIDE_HOURS: 'this is outside working hours, or the day is full',
  NO_OPENING: 'no one who does this visit is free then, or no room is',
} as const
