import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { difference } from '../../kernel/audit/rules.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { permissions } from '../../kernel/access/policy.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { contacts, identityColumns } from '../../crm/contacts/table.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { type OfferedVisit, readVisitType } from '../availability/service.ts'
import { lockContact } from '../reservations/service.ts'
import { waitingMessages, type Wish } from './contract.ts'
import { waitingLimits, type WishedTimes } from './rules.ts'
import { waitingOffers, waitingWishes } from './table.ts'

export type WishRow = typeof waitingWishes.$inferSelect

/** How many offers of a wish are listed. */
const shownOffers = 10

/** The wishes with these conditions, with patient and offers. */
async function select(db: Db, condition: SQL | undefined, ...order: SQL[]): Promise<Wish[]> {
  const rows = await db
    .select({ wish: waitingWishes, contact: identityColumns })
    .from(waitingWishes)
    .innerJoin(contacts, eq(contacts.id, waitingWishes.contactId))
    .where(condition)
    .orderBy(...order)
    .limit(waitingLimits.all)
  const ids = rows.map(({ wish }) => wish.id)
  const offers =
    ids.length === 0
      ? []
      : await db.select().from(waitingOffers).where(inArray(waitingOffers.wishId, ids)).orderBy(desc(waitingOffers.createdAt))
  const offersOf = Map.groupBy(offers, ({ wishId }) => wishId)
  return rows.map(({ wish, contact }) => ({ ...wish, contact, offers: (offersOf.get(wish.id) ?? []).slice(0, shownOffers) }))
}

/** Patients who wait, those who have waited longest first. A provider's are also those that anyone may see. */
export async function listWishes(
  scope: Scope,
  { visitTypeId, providerId }: { visitTypeId?: string | undefined; providerId?: string | undefined },
) {
  const found = await select(
    scope.db,
    and(
      eq(waitingWishes.status, 'waiting'),
      visitTypeId ? eq(waitingWishes.visitTypeId, visitTypeId) : undefined,
      providerId ? or(eq(waitingWishes.providerId, providerId), sql`${waitingWishes.providerId} is null`) : undefined,
    ),
    asc(waitingWishes.createdAt),
    asc(waitingWishes.id),
  )
  await recordViewOf(scope, found)
  return found
}

/** Records in the audit log whose wishes were shown. */
async function recordViewOf(scope: Scope, shown: readonly { contact: { id: string } }[]): Promise<void> {
  const contactIds = [...new Set(shown.map(({ contact }) => contact.id))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'waiting list', contactIds })
}

/** A patient's wishes, newest first. Null: no such patient. */
export const wishesOf = (scope: Scope, contactId: string): Promise<Wish[] | null> =>
  readOfPatient(scope, 'waiting list', contactId, select(scope.db, eq(waitingWishes.contactId, contactId), desc(waitingWishes.createdAt)))

export const getWish = async (db: Db, id: string): Promise<Wish> => (await select(db, eq(waitingWishes.id, id)))[0]!

/** Publishes a change of a wish to accounts that see the waiting list. */
export const announceWish = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'waiting-list', id, { accounts: [], roles: permissions['waitingList.list'] })

export interface Wanted extends WishedTimes {
  visitTypeId: string
  providerId: string | null
  note: string | null
}

/** The visit type, or the field errors of a wish. What it had (`before`) stays valid. */
async function checkWish(
  tx: Db,
  scope: Scope,
  wanted: Wanted,
  before: WishRow | null,
): Promise<OfferedVisit | null | ReturnType<typeof invalidReference>> {
  const type = await readVisitType(tx, wanted.visitTypeId)
  const isNewType = wanted.visitTypeId !== before?.visitTypeId
  const isNewProvider = isNewType || wanted.providerId !== before?.providerId
  const problems = {
    ...(!type && isNewType && { visitTypeId: waitingMessages.noVisitType }),
    ...(type &&
      isNewProvider &&
      wanted.providerId !== null &&
      !type.providerIds.includes(wanted.providerId) && { providerId: waitingMessages.notTheirVisit }),
    ...(wanted.toDay < dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE) && { toDay: waitingMessages.past }),
  }
  return Object.keys(problems).length > 0 ? invalidReference(problems) : type
}

/** Adds a wish of a patient, who is locked by the caller. `by`: ' by the patient', for the timeline. TOO_MANY: of the patient, or in all. */
export async function addWishWithin(tx: Db, scope: Scope, contactId: string, wanted: Wanted, by = '') {
  const type = await checkWish(tx, scope, wanted, null)
  if (type === null || 'refusal' in type) return type ?? invalidReference({ visitTypeId: waitingMessages.noVisitType })
  const isWaiting = eq(waitingWishes.status, 'waiting')
  const [counts] = await tx
    .select({ all: count(), own: sql<number>`count(*) filter (where ${eq(waitingWishes.contactId, contactId)})::int` })
    .from(waitingWishes)
    .where(isWaiting)
  if (counts!.all >= waitingLimits.all || counts!.own >= waitingLimits.ofPatient) return refuse('TOO_MANY')
  const now = scope.now()
  const { weekdays, dayParts, ...rest } = wanted
  const [row] = await tx
    .insert(waitingWishes)
    .values({
      ...rest,
      weekdays: [...weekdays],
      dayParts: [...dayParts],
      contactId,
      createdBy: scope.actor?.id ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'waiting list', contactIds: [contactId], after: row! })
  await noteFor(tx, scope, row!, `Added to the waiting list${by}: ${type.name}`)
  await announceWish(tx, row!.id)
  return row!
}

/** Writes on the patient's timeline. */
export async function noteFor(
  tx: Db,
  scope: Scope,
  { id, contactId }: Pick<WishRow, 'id' | 'contactId'>,
  description: string,
): Promise<void> {
  await addInteraction(tx, scope, { contactId, type: 'meeting', description, metadata: { wishId: id } })
  await publish(tx, 'contact', contactId)
}

/** Adds a patient to the waiting list. */
export const addWish = (scope: Scope, { contactId, ...wanted }: Wanted & { contactId: string }) =>
  scope.db.transaction(async (tx) => {
    if (!(await lockContact(tx, contactId))) return invalidReference({ contactId: waitingMessages.noPatient })
    const added = await addWishWithin(tx, scope, contactId, wanted)
    return 'refusal' in added ? added : getWish(tx, added.id)
  })

/** Locks a wish after its patient, in the order of bookings; null: it does not exist. */
export async function lockWish(tx: Db, id: string): Promise<WishRow | null> {
  const [unlocked] = await tx.select({ contactId: waitingWishes.contactId }).from(waitingWishes).where(eq(waitingWishes.id, id))
  if (!unlocked) return null
  await lockContact(tx, unlocked.contactId)
  const [row] = await tx.select().from(waitingWishes).where(eq(waitingWishes.id, id)).for('no key update')
  if (!row) return null
  // A merge has just moved it to another patient.
  return row.contactId === unlocked.contactId ? row : lockWish(tx, id)
}

/** Changes what a patient waits for. */
export const changeWish = (scope: Scope, { id, version, ...wanted }: Wanted & { id: string; version: number }) =>
  scope.db.transaction(async (tx) => {
    const before = await lockWish(tx, id)
    if (!before) return null
    if (before.version !== version) return refuse('CHANGED_MEANWHILE')
    if (before.status !== 'waiting') return refuse('NOT_WAITING')
    const problem = await checkWish(tx, scope, wanted, before)
    if (problem && 'refusal' in problem) return problem
    const { weekdays, dayParts, ...rest } = wanted
    await writeWish(tx, scope, before, { ...rest, weekdays: [...weekdays], dayParts: [...dayParts] })
    return getWish(tx, id)
  })

/** Writes a locked wish, with a new version and an audit entry. */
export async function writeWish(tx: Db, scope: Scope, before: WishRow, wanted: Partial<WishRow>): Promise<void> {
  const changes = difference(before, { ...before, ...wanted })
  await tx
    .update(waitingWishes)
    .set({ ...wanted, version: before.version + 1, updatedAt: scope.now() })
    .where(eq(waitingWishes.id, before.id))
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'waiting list',
    contactIds: [before.contactId],
    before: { id: before.id, ...changes.before },
    after: { id: before.id, ...changes.after },
  })
  await announceWish(tx, before.id)
}

/** Ends a locked wish that waits, with its open offer. */
export async function endWish(tx: Db, scope: Scope, wish: WishRow, by = ''): Promise<void> {
  await tx
    .update(waitingOffers)
    .set({ status: 'declined' })
    .where(and(eq(waitingOffers.wishId, wish.id), eq(waitingOffers.status, 'open')))
  await writeWish(tx, scope, wish, { status: 'ended' })
  await noteFor(tx, scope, wish, `Taken off the waiting list${by}`)
}

/** Takes a patient off the waiting list. */
export const removeWish = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    const wish = await lockWish(tx, id)
    if (!wish) return null
    if (wish.status !== 'waiting') return refuse('NOT_WAITING')
    await endWish(tx, scope, wish)
    return getWish(tx, id)
  })
