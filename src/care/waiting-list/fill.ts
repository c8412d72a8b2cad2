import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import { describeError } from '../../kernel/errors.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { earliestSending, preferredNumber } from '../../messages/inbox/service.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { toDate } from '../availability/interval-rules.ts'
import { assignVisit, type OfferedVisit, visitNeeds } from '../availability/service.ts'
import { typesOf } from './gaps.ts'
import { makeOffer, settleOffer } from './offers.ts'
import { type OpenStart, openStarts, remembered, suitingStarts } from './openings.ts'
import { countAt, freedStarts, isSilent, refusedDays, type Taken } from './rules.ts'
import { waitingOffers, waitingEntries } from './table.ts'
import { announceEntry, endEntry, lockEntry, type EntryRow } from './entries.ts'

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
  for (const { offer, visitTypeId } of open) await settleOffer(scope, offer, visitTypeId)
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
 * Offers each patient who waits, those who have waited longest first, the first time that suits them and became free since they wait: by text outside
 * of quiet hours only, each time to `WAITING_LIST_AT_ONCE` patients at once, and of each day one time. A time that begins before an offer would end is
 * left to staff, as is one that was free all along.
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
  const startsOf = new Map<string, Promise<OpenStart[]>>()

  for (const entry of entries) {
    const [past, type] = [offersOf.get(entry.id) ?? [], types.get(entry.visitTypeId)]
    // A visit type that is switched off may come back: what was free all along is kept.
    if (!type) continue
    const suiting = suitingStarts(await startsFor(entry, type), entry)
    await remember(entry, suiting)
    const freed = freedStarts(suiting, entry.alreadyOpen).map(toDate)
    if (
      env.WAITING_LIST_AT_ONCE === 0 ||
      freed.length === 0 ||
      past.some(({ status }) => status === 'open') ||
      isSilent(past) ||
      past.filter(({ createdAt }) => createdAt > dayAgo).length >= maxADay ||
      !(await mayBeWrittenTo(entry))
    )
      continue
    const without = refusedDays(past, env.PRACTICE_TIME_ZONE)
    const offerable = freed.filter((start) => start >= earliest && !without.has(dayAt(start, env.PRACTICE_TIME_ZONE)))
    for (const startsAt of offerable.slice(0, maxTries)) {
      const visit = visitNeeds(type, { minutes: type.minutes, providerId: entry.providerId })
      const chosen = await assignVisit(db, env.PRACTICE_TIME_ZONE, visit, startsAt, false)
      const time = chosen && { providerId: chosen.providerId, startsAt, endsAt: new Date(startsAt.getTime() + type.minutes * 60_000) }
      if (!time || countAt(offered, time) >= env.WAITING_LIST_AT_ONCE) continue
      if (await wasOffered(entry, time)) offered.push(time)
      break
    }
  }

  /** The openings of a visit type for a provider, in order, found once for all who wait for them. */
  function startsFor({ visitTypeId, providerId }: EntryRow, type: OfferedVisit): Promise<OpenStart[]> {
    const key = `${visitTypeId} ${providerId}`
    const known = startsOf.get(key)
    if (known) return known
    const same = entries.filter((one) => one.visitTypeId === visitTypeId && one.providerId === providerId)
    const fromDay = same.map((one) => one.fromDay).toSorted()[0]!
    const toDay = same
      .map((one) => one.toDay)
      .toSorted()
      .at(-1)!
    const starts = openStarts(db, scope, type, { providerId, fromDay, toDay })
    startsOf.set(key, starts)
    return starts
  }

  /** Keeps of what was free all along only what still is, so that it is offered once it becomes free again. */
  async function remember({ id, version, openAt, alreadyOpen }: EntryRow, suiting: readonly number[]): Promise<void> {
    const open = new Set(suiting)
    const next = { ...remembered(suiting), alreadyOpen: alreadyOpen.filter((start) => open.has(start)) }
    if (isDeepStrictEqual(next, { openAt, alreadyOpen })) return
    await db.transaction(async (tx) => {
      await tx
        .update(waitingEntries)
        .set(next)
        .where(and(eq(waitingEntries.id, id), eq(waitingEntries.version, version)))
      if (!isDeepStrictEqual(next.openAt, openAt)) await announceEntry(tx, id)
    })
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
