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
import { waitingOffers, waitingWishes } from './table.ts'
import { endWish, lockWish, type WishRow } from './wishes.ts'

/** Offers to one patient in 24 hours. A time that is held for a while and then free again is not written about each time. */
const maxADay = 3
/** Starts that are tried for one patient in a run: each asks the database who is free. */
const maxTries = 8

/** Ends offers that no one answered in time or whose time was taken, and wishes whose last day has passed. */
export async function settle(scope: Scope): Promise<void> {
  const { db, now, env } = scope
  const open = await db
    .select({ offer: waitingOffers, visitTypeId: waitingWishes.visitTypeId })
    .from(waitingOffers)
    .innerJoin(waitingWishes, eq(waitingWishes.id, waitingOffers.wishId))
    .where(eq(waitingOffers.status, 'open'))
  for (const { offer, visitTypeId } of open) {
    if (offer.expiresAt <= now()) await db.transaction((tx) => closeOffer(tx, offer, 'expired'))
    else if (!(await isPossible(db, scope, offer, visitTypeId))) await db.transaction((tx) => closeOffer(tx, offer, 'gone'))
  }
  const past = await db
    .select({ id: waitingWishes.id })
    .from(waitingWishes)
    .where(and(eq(waitingWishes.status, 'waiting'), lt(waitingWishes.toDay, dayAt(now(), env.PRACTICE_TIME_ZONE))))
  for (const { id } of past) {
    await db.transaction(async (tx) => {
      const wish = await lockWish(tx, id)
      if (wish?.status === 'waiting') await endWish(tx, scope, wish, ', because its last day has passed')
    })
  }
}

/**
 * Offers each patient who waits, those who have waited longest first, the first free time that suits them: by text outside of quiet hours only, each
 * time to `WAITING_LIST_AT_ONCE` patients at once, and of each day one time. A time that begins before an offer would end is left to staff.
 */
export async function offerTimes(scope: Scope): Promise<void> {
  const { db, now, env } = scope
  const wishes = await db
    .select()
    .from(waitingWishes)
    .where(eq(waitingWishes.status, 'waiting'))
    .orderBy(asc(waitingWishes.createdAt), asc(waitingWishes.id))
  if (wishes.length === 0) return
  const ids = wishes.map(({ id }) => id)
  const offers = await db.select().from(waitingOffers).where(inArray(waitingOffers.wishId, ids))
  const offersOf = Map.groupBy(offers, ({ wishId }) => wishId)
  const offered: Taken[] = offers.filter(({ status }) => status === 'open')
  const types = await typesOf(scope, wishes)
  const earliest = new Date(now().getTime() + env.WAITING_LIST_MINUTES * 60_000)
  const dayAgo = new Date(now().getTime() - 86_400_000)
  const startsOf = new Map<string, Date[]>()
  const needsDeposit = ({ depositKind }: OfferedVisit): boolean => depositKind !== 'none' && takesCards(env)

  for (const wish of wishes) {
    const [past, type] = [offersOf.get(wish.id) ?? [], types.get(wish.visitTypeId)]
    // The deposit of a visit is paid on the booking page only, so staff offer such times by hand.
    if (
      !type ||
      needsDeposit(type) ||
      past.some(({ status }) => status === 'open') ||
      isSilent(past) ||
      past.filter(({ createdAt }) => createdAt > dayAgo).length >= maxADay ||
      !(await mayBeWrittenTo(wish))
    )
      continue
    const without = refusedDays(past, env.PRACTICE_TIME_ZONE)
    const fitting = (await startsFor(wish, type)).filter(
      (start) => start >= earliest && !without.has(dayAt(start, env.PRACTICE_TIME_ZONE)) && suits(wish, start, env.PRACTICE_TIME_ZONE),
    )
    for (const startsAt of fitting.slice(0, maxTries)) {
      const visit = visitNeeds(type, { minutes: type.minutes, providerId: wish.providerId })
      const chosen = await assignVisit(db, env.PRACTICE_TIME_ZONE, visit, startsAt, false)
      const time = chosen && { providerId: chosen.providerId, startsAt, endsAt: new Date(startsAt.getTime() + type.minutes * 60_000) }
      if (!time || countAt(offered, time) >= env.WAITING_LIST_AT_ONCE) continue
      if (await wasOffered(wish, time)) offered.push(time)
      break
    }
  }

  /** The openings of a visit type for a provider, in order, found once for all who wait for them. */
  async function startsFor({ visitTypeId, providerId }: WishRow, type: OfferedVisit): Promise<Date[]> {
    const key = `${visitTypeId} ${providerId}`
    const known = startsOf.get(key)
    if (known) return known
    const same = wishes.filter((one) => one.visitTypeId === visitTypeId && one.providerId === providerId)
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

  async function mayBeWrittenTo({ contactId }: WishRow): Promise<boolean> {
    if ((await preferredNumber(db, scope, contactId)) === null) return true
    return (await earliestSending(scope, { contactId, channel: 'text', at: now() })) <= now()
  }

  async function wasOffered({ id }: WishRow, { providerId, startsAt }: Taken): Promise<boolean> {
    try {
      const made = await makeOffer(scope, { id, providerId, startsAt })
      return made !== null && !isRefusal(made)
    } catch (error) {
      // The others get theirs; the next run tries again in a minute.
      scope.log.error({ wishId: id, error: describeError(error) }, 'An offer from the waiting list failed')
      return false
    }
  }
}
