import { isDeepStrictEqual } from 'node:util'
import { and, asc, count, desc, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
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
import { waitingMessages, type WaitingEntry } from './contract.ts'
import { openStarts, remembered, suitingStarts } from './openings.ts'
import { waitingLimits, type SuitableTimes } from './rules.ts'
import { waitingOffers, waitingEntries } from './table.ts'

export type EntryRow = typeof waitingEntries.$inferSelect

/** How many offers of an entry are listed. */
const shownOffers = 10

/** Without the thousands of starts that the job remembers. */
const { alreadyOpen: _, ...columns } = getTableColumns(waitingEntries)

/** The entries with these conditions, with patient and offers. */
async function select(db: Db, condition: SQL | undefined, ...order: SQL[]): Promise<WaitingEntry[]> {
  const rows = await db
    .select({ entry: columns, contact: identityColumns })
    .from(waitingEntries)
    .innerJoin(contacts, eq(contacts.id, waitingEntries.contactId))
    .where(condition)
    .orderBy(...order)
    .limit(waitingLimits.all)
  const ids = rows.map(({ entry }) => entry.id)
  const offers =
    ids.length === 0
      ? []
      : await db.select().from(waitingOffers).where(inArray(waitingOffers.entryId, ids)).orderBy(desc(waitingOffers.createdAt))
  const offersOf = Map.groupBy(offers, ({ entryId }) => entryId)
  return rows.map(({ entry, contact }) => ({
    ...entry,
    contact,
    offers: (offersOf.get(entry.id) ?? []).slice(0, shownOffers),
  }))
}

/** Patients who wait, those who have waited longest first. A provider's are also those that anyone may see. */
export async function listEntries(
  scope: Scope,
  { visitTypeId, providerId }: { visitTypeId?: string | undefined; providerId?: string | undefined },
) {
  const found = await select(
    scope.db,
    and(
      eq(waitingEntries.status, 'waiting'),
      visitTypeId ? eq(waitingEntries.visitTypeId, visitTypeId) : undefined,
      providerId ? or(eq(waitingEntries.providerId, providerId), sql`${waitingEntries.providerId} is null`) : undefined,
    ),
    asc(waitingEntries.createdAt),
    asc(waitingEntries.id),
  )
  await recordViewOf(scope, found)
  return found
}

/** Records in the audit log whose entries were shown. */
async function recordViewOf(scope: Scope, shown: readonly { contact: { id: string } }[]): Promise<void> {
  const contactIds = [...new Set(shown.map(({ contact }) => contact.id))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'waiting list', contactIds })
}

/** A patient's entries, newest first. Null: no such patient. */
export const entriesOf = (scope: Scope, contactId: string): Promise<WaitingEntry[] | null> =>
  readOfPatient(scope, 'waiting list', contactId, select(scope.db, eq(waitingEntries.contactId, contactId), desc(waitingEntries.createdAt)))

export const getEntry = async (db: Db, id: string): Promise<WaitingEntry> => (await select(db, eq(waitingEntries.id, id)))[0]!

/** Publishes a change of an entry to accounts that see the waiting list. */
export const announceEntry = (tx: Db, id: string): Promise<void> =>
  publish(tx, 'waiting-list', id, { accounts: [], roles: permissions['waitingList.list'] })

export interface Wanted extends SuitableTimes {
  visitTypeId: string
  providerId: string | null
  note: string | null
}

/** The visit type, or the field errors of an entry. What it had (`before`) stays valid. */
async function checkEntry(
  tx: Db,
  scope: Scope,
  wanted: Wanted,
  before: EntryRow | null,
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

/** Adds an entry of a patient, who is locked by the caller. `by`: ' by the patient', for the timeline. TOO_MANY: of the patient, or in all. */
export async function addEntryWithin(tx: Db, scope: Scope, contactId: string, wanted: Wanted, by = '') {
  const type = await checkEntry(tx, scope, wanted, null)
  if (type === null || 'refusal' in type) return type ?? invalidReference({ visitTypeId: waitingMessages.noVisitType })
  const isWaiting = eq(waitingEntries.status, 'waiting')
  const [counts] = await tx
    .select({ all: count(), own: sql<number>`count(*) filter (where ${eq(waitingEntries.contactId, contactId)})::int` })
    .from(waitingEntries)
    .where(isWaiting)
  if (counts!.all >= waitingLimits.all || counts!.own >= waitingLimits.ofPatient) return refuse('TOO_MANY')
  const now = scope.now()
  const { weekdays, dayParts, ...rest } = wanted
  const [row] = await tx
    .insert(waitingEntries)
    .values({
      ...rest,
      ...(await openNow(tx, scope, type, wanted)),
      weekdays: [...weekdays],
      dayParts: [...dayParts],
      contactId,
      createdBy: scope.actor?.id ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'waiting list', contactIds: [contactId], after: auditable(row!) })
  await noteFor(tx, scope, row!, `Added to the waiting list${by}: ${type.name}`)
  await announceEntry(tx, row!.id)
  return row!
}

/** The openings that suit when an entry is added or changed. Staff see them; the job offers only what becomes free later. */
async function openNow(tx: Db, scope: Scope, type: OfferedVisit | null, wanted: Wanted) {
  const starts = type ? await openStarts(tx, scope, type, wanted) : []
  return remembered(suitingStarts(starts, wanted))
}

/** Without what the job remembers. */
const auditable = ({ openAt: _at, alreadyOpen: _starts, ...row }: EntryRow) => row

/** Writes on the patient's timeline. */
export async function noteFor(
  tx: Db,
  scope: Scope,
  { id, contactId }: Pick<EntryRow, 'id' | 'contactId'>,
  description: string,
): Promise<void> {
  await addInteraction(tx, scope, { contactId, type: 'meeting', description, metadata: { waitingEntryId: id } })
  await publish(tx, 'contact', contactId)
}

/** Adds a patient to the waiting list. */
export const addEntry = (scope: Scope, { contactId, ...wanted }: Wanted & { contactId: string }) =>
  scope.db.transaction(async (tx) => {
    if (!(await lockContact(tx, contactId))) return invalidReference({ contactId: waitingMessages.noPatient })
    const added = await addEntryWithin(tx, scope, contactId, wanted)
    return 'refusal' in added ? added : getEntry(tx, added.id)
  })

/** Locks an entry after its patient, in the order of bookings; null: it does not exist. */
export async function lockEntry(tx: Db, id: string): Promise<EntryRow | null> {
  const [unlocked] = await tx.select({ contactId: waitingEntries.contactId }).from(waitingEntries).where(eq(waitingEntries.id, id))
  if (!unlocked) return null
  await lockContact(tx, unlocked.contactId)
  const [row] = await tx.select().from(waitingEntries).where(eq(waitingEntries.id, id)).for('no key update')
  if (!row) return null
  // A merge has just moved it to another patient.
  return row.contactId === unlocked.contactId ? row : lockEntry(tx, id)
}

/** Changes what a patient waits for. */
export const changeEntry = (scope: Scope, { id, version, ...wanted }: Wanted & { id: string; version: number }) =>
  scope.db.transaction(async (tx) => {
    const before = await lockEntry(tx, id)
    if (!before) return null
    if (before.version !== version) return refuse('CHANGED_MEANWHILE')
    if (before.status !== 'waiting') return refuse('NOT_WAITING')
    const type = await checkEntry(tx, scope, wanted, before)
    if (type && 'refusal' in type) return type
    const { weekdays, dayParts, ...rest } = wanted
    const isSame = (['visitTypeId', 'providerId', 'weekdays', 'dayParts', 'fromDay', 'toDay'] as const).every((field) =>
      isDeepStrictEqual(before[field], wanted[field]),
    )
    await writeEntry(tx, scope, before, {
      ...rest,
      ...(!isSame && (await openNow(tx, scope, type, wanted))),
      weekdays: [...weekdays],
      dayParts: [...dayParts],
    })
    return getEntry(tx, id)
  })

/** Writes a locked entry, with a new version, and in the audit log. */
export async function writeEntry(tx: Db, scope: Scope, before: EntryRow, wanted: Partial<EntryRow>): Promise<void> {
  const changes = difference(auditable(before), auditable({ ...before, ...wanted }))
  await tx
    .update(waitingEntries)
    .set({ ...wanted, version: before.version + 1, updatedAt: scope.now() })
    .where(eq(waitingEntries.id, before.id))
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'waiting list',
    contactIds: [before.contactId],
    before: { id: before.id, ...changes.before },
    after: { id: before.id, ...changes.after },
  })
  await announceEntry(tx, before.id)
}

/** Ends a locked entry that waits, with its open offer. */
export async function endEntry(tx: Db, scope: Scope, entry: EntryRow, by = ''): Promise<void> {
  await tx
    .update(waitingOffers)
    .set({ status: 'declined' })
    .where(and(eq(waitingOffers.entryId, entry.id), eq(waitingOffers.status, 'open')))
  await writeEntry(tx, scope, entry, { status: 'ended' })
  await noteFor(tx, scope, entry, `Taken off the waiting list${by}`)
}

/** Takes a patient off the waiting list. */
export const removeEntry = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, id)
    if (!entry) return null
    if (entry.status !== 'waiting') return refuse('NOT_WAITING')
    await endEntry(tx, scope, entry)
    return getEntry(tx, id)
  })
