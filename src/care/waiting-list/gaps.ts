import type { Scope } from '../../kernel/scope.ts'
import { dayAt, daysLater, toLocal } from '../../shared/zoned-time.ts'
import { toDate } from '../availability/interval-rules.ts'
import { type OfferedVisit, readVisitType, searchSlots, visitNeeds } from '../availability/service.ts'
import type { Gap, WaitingEntry } from './contract.ts'
import { gapsOf, suits } from './rules.ts'
import { listEntries } from './entries.ts'

/** The types of visits that these entries are for, by id; those that are no longer offered are left out. */
export async function typesOf({ db }: Scope, entries: readonly { visitTypeId: string }[]): Promise<Map<string, OfferedVisit>> {
  const ids = [...new Set(entries.map(({ visitTypeId }) => visitTypeId))]
  const found = await Promise.all(ids.map((id) => readVisitType(db, id)))
  return new Map(found.flatMap((type) => (type ? [[type.id, type] as const] : [])))
}

/**
 * The free times of some days for which patients wait, by provider, each with who fits. From now on; for one visit type and provider, the
 * openings are searched once.
 */
export async function listGaps(scope: Scope, { from, days }: { from: string; days: number }): Promise<Gap[]> {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const end = daysLater(from, days - 1)
  const entries = (await listEntries(scope, {})).filter(({ fromDay, toDay }) => fromDay <= end && toDay >= from)
  if (entries.length === 0 || end < dayAt(scope.now(), zone)) return []
  const types = await typesOf(scope, entries)
  const found: Gap[] = []
  const fits = new Map<string, { startsAt: Date; endsAt: Date; item: WaitingEntry }[]>()
  for (const type of types.values()) {
    const waiting = entries.filter(({ visitTypeId }) => visitTypeId === type.id)
    for (const providerId of type.providerIds) {
      const theirs = waiting.filter((entry) => entry.providerId === null || entry.providerId === providerId)
      if (theirs.length === 0) continue
      const slots = await searchSlots(scope, visitNeeds(type, { minutes: type.minutes, providerId }), { from, days })
      for (const start of slots.days.flatMap(({ starts }) => starts)) {
        const [startsAt, endsAt] = [toDate(start), toDate(start + type.minutes)]
        const here = fits.get(providerId) ?? []
        fits.set(providerId, here)
        const local = toLocal(startsAt, zone)
        for (const item of theirs) if (suits(item, local)) here.push({ startsAt, endsAt, item })
      }
    }
  }
  for (const [providerId, all] of fits) {
    for (const { startsAt, endsAt, items } of gapsOf(all.map((one) => ({ ...one, item: one })))) {
      // Sorted by start, so the first of each entry is its earliest.
      const first = new Map<string, (typeof items)[number]>()
      for (const one of items) if (!first.has(one.item.id)) first.set(one.item.id, one)
      const fitting = [...first.values()]
        .toSorted((a, b) => Number(a.item.createdAt) - Number(b.item.createdAt))
        .map(({ startsAt: at, item: { id, contact, visitTypeId, createdAt, offers } }) => ({
          entryId: id,
          contact,
          visitTypeId,
          startsAt: at,
          createdAt,
          isOffered: offers.some(({ status }) => status === 'open'),
        }))
      found.push({ providerId, startsAt, endsAt, fitting })
    }
  }
  return found.toSorted((a, b) => Number(a.startsAt) - Number(b.startsAt))
}
