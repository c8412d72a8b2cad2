import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { describeError } from '../../kernel/errors.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { earliestSending, preferredNumber } from '../../messages/inbox/service.ts'
import { dayAt, daysFrom } from '../../shared/zoned-time.ts'
import { toDate } from '../availability/interval-rules.ts'
import { assignVisit, type OfferedVisit, searchSlots, visitNeeds } from '../availability/service.ts'
import { takesCards } from '../self-booking/service.ts'
import { typesOf } from './gaps.ts'
import { closeOffer, isPossible, makeOffer } from './offers.ts'
import { countAt, isSilent, refusedDays, suits, type Taken } from './rules.ts'
import { waitingOffers, waitingEntries } from './table.ts'
import { endEntry, lockEntry, type EntryRow } from './entries.ts'

/** Offers to one patient in 24 hours. A time that is held for a while and then free again is not written about each time. */
const maxADay = 3
/** Starts that are tried for one patient in a run: each asks the database who is free. */
const maxTries = 8

/** Ends offers that no one answered in time or whose time was taken, and entries whose last day has passed. */
export async function settle(scope: Scope): Promise<void> {
  const { db, now, env } = scope
  const open = await db
    .select({ offer: waitingOffers, visitTypeId: waitingEntries.visitTypeId })
    .from(waitingOffers)
    .innerJoin(waitingEntries, eq(waitingEntries.id, waitingOffers.entryId))
    .where(eq(waitingOffers.status, 'open'))
  for (const { offer, visitTypeId } of open) {
    if (offer.expiresAt <= now()) await db.transaction((tx) => closeOffer(tx, offer, 'expired'))
    else if (!(await isPossible(db, scope, offer, visitTypeId))) await db.transaction((tx) => closeOffer(tx, offer, 'gone'))
  }
  const past = await db
    .select({ id: waitingEntries.id })
    .from(waitingEntries)
    .where(and(eq(waitingEntries.status, 'waiting'), lt(waitingEntries.toDay, dayAt(now(), env.PRACTICE_TIME_ZONE))))
  for (const { id } of past) {
    await db.transaction(async (tx) => {
      const entry = await lockEntry(tx, id)
      if (entry?.status === 'waiting') await endEntry(tx, scope, entry, ', because its last day has passed')
    })
  }
}

/**
 * Offers each patient who waits, those who have waited longest first, the first free time that suits them: by text outside of quiet hours only, each
 * time to `WAITING_LIST_AT_ONCE` patients at once, and of each day one time. A time that begins before an offer would end is left to staff.
 */
export async function offerTimes(scope: Scope): Promise<void> {
  const { db, now, env } = scope
  const entries = await db
    .select()
    .from(waitingEntries)
    .where(eq(waitingEntries.status, 'waiting'))
    .orderBy(asc(waitingEntries.createdAt), asc(waitingEntries.id))
  if (entries.length === 0) return
  const ids = entries.map(({ id }) => id)
  const offers = await db.select().from(waitingOffers).where(inArray(waitingOffers.entryId, ids))
  const offersOf = Map.groupBy(offers, ({ entryId }) => entryId)
  const offered: Taken[] = offers.filter(({ status }) => status === 'open')
  const types = await typesOf(scope, entries)
  const earliest = new Date(now().getTime() + env.WAITING_LIST_MINUTES * 60_000)
  const dayAgo = new Date(now().getTime() - 86_400_000)
  const startsOf = new Map<string, Date[]>()
  const needsDeposit = ({ depositKind }: OfferedVisit): boolean => depositKind !== 'none' && takesCards(env)

  for (const entry of entries) {
    const [past, type] = [offersOf.get(entry.id) ?? [], types.get(entry.visitTypeId)]
    // The deposit of a visit is paid on the booking page only, so staff offer such times by hand.
    if (
      !type ||
      needsDeposit(type) ||
      past.some(({ status }) => status === 'open') ||
      isSilent(past) ||
      past.filter(({ createdAt }) => createdAt > dayAgo).length >= maxADay ||
      !(await mayBeWrittenTo(entry))
    )
      continue
    const without = refusedDays(past, env.PRACTICE_TIME_ZONE)
    const fitting = (await startsFor(entry, type)).filter(
      (start) => start >= earliest && !without.has(dayAt(start, env.PRACTICE_TIME_ZONE)) && suits(entry, start, env.PRACTICE_TIME_ZONE),
    )
    for (const startsAt of fitting.slice(0, maxTries)) {
      const visit = visitNeeds(type, { minutes: type.minutes, providerId: entry.providerId })
      const chosen = await assignVisit(db, env.PRACTICE_TIME_ZONE, visit, startsAt, false)
      const time = chosen && { providerId: chosen.providerId, startsAt, endsAt: new Date(startsAt.getTime() + type.minutes * 60_000) }
      if (!time || countAt(offered, time) >= env.WAITING_LIST_AT_ONCE) continue
      if (await wasOffered(entry, time)) offered.push(time)
      break
    }
  }

  /** The openings of a visit type for a provider, in order, found once for all who wait for them. */
  async function startsFor({ visitTypeId, providerId }: EntryRow, type: OfferedVisit): Promise<Date[]> {
    const key = `${visitTypeId} ${providerId}`
    const known = startsOf.get(key)
    if (known) return known
    const same = entries.filter((one) => one.visitTypeId === visitTypeId && one.providerId === providerId)
    const today = dayAt(now(), env.PRACTICE_TIME_ZONE)
    const last = same.reduce((latest, { toDay }) => (toDay > latest ? toDay : latest), today)
    const found = await searchSlots(scope, visitNeeds(type, { minutes: type.minutes, providerId }), {
      from: today,
      days: daysFrom(today, last) + 1,
    })
    const starts = found.days.flatMap(({ starts: all }) => all.map(toDate))
    startsOf.set(key, starts)
    return starts
  }

  async function mayBeWrittenTo({ contactId }: EntryRow): Promise<boolean> {
    if ((await preferredNumber(db, scope, contactId)) === null) return true
    return (await earliestSending(scope, { contactId, channel: 'text', at: now() })) <= now()
  }

  async function wasOffered({ id }: EntryRow, { providerId, startsAt }: Taken): Promise<boolean> {
    try {
      const made = await makeOffer(scope, { id, providerId, startsAt })
      return made !== null && !isRefusal(made)
    } catch (error) {
      // The others get theirs; the next run tries again in a minute.
      scope.log.error({ entryId: id, error: describeError(error) }, 'An offer from the waiting list failed')
      return false
    }
  }
}
