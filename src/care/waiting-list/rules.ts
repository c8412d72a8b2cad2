import { weekdayOf } from '../../platform/practice/rules.ts'
import { type LocalMoment, toLocal } from '../../shared/zoned-time.ts'
import { type DayPart, dayPartOf } from '../appointments/link-rules.ts'

export const waitingLimits = {
  /** Days from the first to the last one of an entry. */
  days: 366,
  note: 500,
  /** Entries of one patient that wait. */
  ofPatient: 10,
  /** Entries that wait in all. */
  all: 1_000,
  /** After so many offers in a row without an answer, further ones are made by hand. */
  unanswered: 3,
  /** Days that are looked at at once. */
  gapDays: 7,
} as const

/** `ended`: taken off the list, or its last day has passed. */
export const entryStatuses = ['waiting', 'booked', 'ended'] as const
export type EntryStatus = (typeof entryStatuses)[number]

/** `gone`: someone else has the time, or the practice took it. */
export const offerStatuses = ['open', 'accepted', 'declined', 'expired', 'gone'] as const
export type OfferStatus = (typeof offerStatuses)[number]

/** What the link of an offer shows. `held`: another patient is booking the time, which may be free again. */
export const shownStates = [...offerStatuses, 'held'] as const
export type ShownState = (typeof shownStates)[number]

/** The path of links in offers. */
export const offerPath = '/offer'

/** The page where a patient leaves the waiting list; its token follows. */
export const waitingPath = '/waiting'

export interface SuitableTimes {
  /** 1 (Monday) to 7; empty: every day. */
  weekdays: readonly number[]
  /** Empty: at any time. */
  dayParts: readonly DayPart[]
  fromDay: string
  toDay: string
}

/** Whether a visit that starts then, on the practice's clock, suits the patient. */
export function suits({ weekdays, dayParts, fromDay, toDay }: SuitableTimes, { day, time }: LocalMoment): boolean {
  if (day < fromDay || day > toDay) return false
  if (weekdays.length > 0 && !weekdays.includes(weekdayOf(day))) return false
  return dayParts.length === 0 || dayParts.includes(dayPartOf(time))
}

/** The starts that became free since the entry was added, in order: all but those that have been free ever since. */
export function freedStarts(open: readonly number[], alreadyOpen: readonly number[]): number[] {
  const known = new Set(alreadyOpen)
  return open.filter((start) => !known.has(start))
}

/** A time that was offered. */
export interface PastOffer {
  status: OfferStatus
  startsAt: Date
  createdAt: Date
}

/** Whether the patient left the last offers without an answer, so that staff should ask them. */
export const isSilent = (past: readonly PastOffer[]): boolean => {
  const latest = past.filter(({ status }) => status !== 'gone').toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt))
  return latest.length >= waitingLimits.unanswered && latest.slice(0, waitingLimits.unanswered).every(({ status }) => status === 'expired')
}

/** The days of which a time was offered in vain: they are not offered again automatically. */
export const refusedDays = (past: readonly PastOffer[], timeZone: string): ReadonlySet<string> =>
  new Set(past.filter(({ status }) => status === 'declined' || status === 'expired').map(({ startsAt }) => toLocal(startsAt, timeZone).day))

/** A time of a provider. */
export interface Taken {
  providerId: string | null
  startsAt: Date
  endsAt: Date
}

/** How many of these are at the same time with the same provider. */
export const countAt = (all: readonly Taken[], { providerId, startsAt, endsAt }: Taken): number =>
  all.filter((one) => one.providerId === providerId && one.startsAt < endsAt && startsAt < one.endsAt).length

/** Joins times of one provider that overlap or touch, each with what is in it. */
export function gapsOf<Item>(all: readonly { startsAt: Date; endsAt: Date; item: Item }[]) {
  const gaps: { startsAt: Date; endsAt: Date; items: Item[] }[] = []
  for (const { startsAt, endsAt, item } of all.toSorted((a, b) => Number(a.startsAt) - Number(b.startsAt))) {
    const last = gaps.at(-1)
    if (last && startsAt <= last.endsAt) {
      if (endsAt > last.endsAt) last.endsAt = endsAt
      last.items.push(item)
    } else gaps.push({ startsAt, endsAt, items: [item] })
  }
  return gaps
}
