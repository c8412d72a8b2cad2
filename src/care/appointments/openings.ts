import type { Scope } from '../../kernel/scope.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { toDate } from '../availability/interval-rules.ts'
import { readVisitType, searchSlots, visitNeeds } from '../availability/service.ts'
import type { Openings } from './contract.ts'

interface Wanted {
  from: string
  days: number
  minutes: number
  visitTypeId?: string | undefined
  providerId?: string | undefined
  secondPersonId?: string | undefined
  roomId?: string | undefined
  /** The appointment that is being moved, which is ignored. */
  except?: string | undefined
  asPatient: 'true' | 'false'
}

/**
 * Times when a visit is possible, or the provider and the room are both free: day by day, and the next one from now on. Reveals no patient.
 * Null if the visit type is not offered.
 */
export async function findOpenings(scope: Scope, { from, days, visitTypeId, asPatient, ...given }: Wanted): Promise<Openings | null> {
  const type = visitTypeId ? await readVisitType(scope.db, visitTypeId) : null
  if (visitTypeId && !type) return null
  const limits = type && asPatient === 'true' ? { noticeHours: type.noticeHours, horizonDays: type.horizonDays } : {}
  const found = await searchSlots(scope, visitNeeds(type, given), { from, days, ...limits })
  const localOf = (start: number) => toLocal(toDate(start), scope.env.PRACTICE_TIME_ZONE)
  return {
    // A time that the clock shows twice is listed once.
    days: found.days.map(({ day, isClosed, starts }) => ({
      day,
      isClosed,
      times: [...new Set(starts.map((start) => localOf(start).time))],
    })),
    next: found.next === null ? null : localOf(found.next),
  }
}
