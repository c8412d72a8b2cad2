import { and, asc, count, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import { refuse } from '../kernel/refusal.ts'
import { exactInstant, isNewerThan } from '../kernel/postgres/places.ts'
import { type Scope, staff } from '../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../shared/page-lists.ts'
import { recordChange } from '../platform/audit/service.ts'
import { difference } from '../kernel/audit/rules.ts'
import { contacts } from '../crm/contacts/table.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import type { ChangedDocument, Reviewed } from './contract.ts'
import { announce, notifyPatient } from './news.ts'
import { safeName } from './rules.ts'
import { enqueueScan } from './scan.ts'
import { documents } from './table.ts'

export { drawLogo } from './inspection/file-pools.ts'
export { disposition, sendFile, sendPreview } from './send.ts'
export { FileRefused, incomingFolder, keepFile, receiveFile, type TakenFile, takeFile, unlessStalled } from './take.ts'

export type DocumentRow = typeof documents.$inferSelect
const there = isNull(documents.deletedAt)

/** Newest first. Null: no such patient. */
export async function listDocuments(scope: Scope, contactId: string): Promise<DocumentRow[] | null> {
  const [contact] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const rows = await scope.db
    .select()
    .from(documents)
    .where(and(eq(documents.contactId, contactId), there))
    .orderBy(desc(documents.createdAt), desc(documents.id))
  await scope.recordView({ kind: 'document', contactIds: [contactId] })
  return rows
}

const isWaiting = and(eq(documents.reviewState, 'pending'), there)

/** What patients have sent and no one has looked at yet, the oldest first, and how much of it there is. */
export async function listWaiting(scope: Scope, { cursor, limit }: { cursor?: InstantPlace | undefined; limit: number }) {
  const [rows, total] = await Promise.all([
    scope.db
      .select({
        ...getTableColumns(documents),
        contact: { id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName },
        exact: exactInstant(documents.createdAt),
      })
      .from(documents)
      .innerJoin(contacts, eq(contacts.id, documents.contactId))
      .where(and(isWaiting, isNewerThan(cursor, documents.createdAt, documents.id)))
      .orderBy(asc(documents.createdAt), asc(documents.id))
      .limit(limit + 1),
    countWaiting(scope),
  ])
  const page = cursorPage(rows, limit, placeOf)
  const contactIds = [...new Set(page.data.map(({ contactId }) => contactId))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'document', contactIds })
  return { ...page, total }
}

/** For the badge on every page, which shows nothing of any patient. */
export async function countWaiting({ db }: Scope): Promise<number> {
  const [counted] = await db.select({ count: count() }).from(documents).where(isWaiting)
  return counted?.count ?? 0
}

/** One that is there, for anyone who sends its bytes. */
export async function findDocument(scope: Scope, id: string): Promise<DocumentRow | null> {
  const [row] = await scope.db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), there))
  return row ?? null
}

export function updateDocument(scope: Scope, { id, version, name, ...fields }: ChangedDocument) {
  return changeDocument(scope, id, version, (before) => ({ ...fields, ...(name === undefined ? {} : { name: renamed(name, before) }) }))
}

/** A name keeps the extension that says what the file is. */
export function renamed(name: string, { name: before }: Pick<DocumentRow, 'name'>): string {
  const extension = /\.[a-z0-9]{1,8}$/i.exec(before)?.[0] ?? ''
  const safe = safeName(name)
  return safe.toLowerCase().endsWith(extension.toLowerCase()) ? safe : safeName(`${safe}${extension}`)
}

/** Accepts or rejects what a patient has sent, and queues the mail that the portal promises; again, when someone changes their mind. */
export function reviewDocument(scope: Scope, { id, version, decision, reason }: Reviewed) {
  const reviewed = {
    reviewState: decision,
    rejectReason: decision === 'rejected' ? reason : null,
    reviewedBy: staff(scope).id,
    reviewedAt: scope.now(),
  }
  return changeDocument(
    scope,
    id,
    version,
    (before) => (before.uploadSource === 'patient' ? reviewed : {}),
    async (tx, before, after) => {
      if (before.reviewState === after.reviewState) return
      const { contactId, name } = after
      await addInteraction(tx, scope, {
        contactId,
        type: 'document',
        description: `Document ${decision}: ${name}`,
        metadata: { documentId: id },
      })
      await notifyPatient(tx, scope, after)
    },
  )
}

/** Null: no such document. CONFLICT: what someone else has made of it since that version. */
async function changeDocument(
  scope: Scope,
  id: string,
  version: number,
  change: (before: DocumentRow) => Partial<DocumentRow>,
  then?: (tx: Db, before: DocumentRow, after: DocumentRow) => Promise<void>,
) {
  return scope.db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(documents)
      .where(and(eq(documents.id, id), there))
      .for('update')
    if (!before) return null
    if (before.version !== version) return refuse('CONFLICT', { current: before })
    const [after] = await tx
      .update(documents)
      .set({ ...change(before), version: before.version + 1 })
      .where(eq(documents.id, id))
      .returning()
    await then?.(tx, before, after!)
    await recordChange(tx, scope, { action: 'changed', kind: 'document', contactIds: [before.contactId], ...changeOf(before, after!) })
    await announce(tx, after!)
    return after!
  })
}

const changeOf = (before: DocumentRow, after: DocumentRow) => {
  const changed = difference(before, after)
  return { before: { id: before.id, ...changed.before }, after: changed.after }
}

/** Null: there was none. Its bytes stay for as long as it can be restored. */
export const deleteDocument = (scope: Scope, id: string): Promise<DocumentRow | null> =>
  mark(scope, id, there, { deletedAt: scope.now(), deletedBy: staff(scope).id }, 'deleted')

export const restoreDocument = (scope: Scope, id: string): Promise<DocumentRow | null> =>
  mark(scope, id, sql`${documents.deletedAt} is not null`, { deletedAt: null, deletedBy: null }, 'restored')

const mark = (...[scope, ...rest]: Marking): Promise<DocumentRow | null> => scope.db.transaction((tx) => markIn(tx, scope, ...rest))

type Marking = [
  scope: Scope,
  id: string,
  where: typeof there,
  set: Pick<DocumentRow, 'deletedAt' | 'deletedBy'>,
  action: 'deleted' | 'restored',
]

async function markIn(tx: Db, ...[scope, id, where, set, action]: Marking): Promise<DocumentRow | null> {
  const [row] = await tx
    .update(documents)
    .set({ ...set, version: sql`${documents.version} + 1` })
    .where(and(eq(documents.id, id), where))
    .returning()
  if (!row) return null
  const { contactId, name } = row
  await recordChange(tx, scope, { action, kind: 'document', contactIds: [contactId], before: { id, name } })
  await addInteraction(tx, scope, {
    contactId,
    type: 'document',
    description: `Document ${action}: ${name}`,
    metadata: { documentId: id },
  })
  await announce(tx, row)
  return row
}

/** Deletes documents that no one has changed since they were added, so that they can be restored for as long as any; answers those that stay, and which were gone. */
export async function deleteUntouched(
  tx: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<{ touched: Map<string, string>; gone: Set<string> }> {
  const rows = await tx
    .select()
    .from(documents)
    .where(and(inArray(documents.id, [...ids]), there))
    .orderBy(asc(documents.id))
    .for('update')
  const marked = { deletedAt: scope.now(), deletedBy: staff(scope).id }
  for (const { id, version } of rows) if (version === 1) await markIn(tx, scope, id, there, marked, 'deleted')
  const known = new Set(rows.map(({ id }) => id))
  return {
    touched: new Map(rows.filter(({ version }) => version !== 1).map(({ id, name }) => [id, name])),
    gone: new Set(ids.filter((id) => !known.has(id))),
  }
}

type Values = typeof documents.$inferInsert
export type NewDocument = Omit<Values, 'scanState'>

/**
 * Writes the row of a file whose bytes are kept already, with its line on the timeline, and has it looked at for malware; in the caller's
 * transaction.
 */
export async function insertDocument(tx: Db, scope: Scope, values: NewDocument, insert = insertRow): Promise<DocumentRow> {
  const row = await insert(tx, { ...values, scanState: scope.env.CLAMD_URL ? 'pending' : 'off' })
  const { id, contactId, name } = row
  if (row.scanState === 'pending') await enqueueScan(tx, id)
  await addInteraction(tx, scope, {
    contactId,
    type: 'document',
    description: row.uploadSource === 'patient' ? `Patient uploaded: ${name}` : `Document added: ${name}`,
    metadata: { documentId: id },
  })
  await recordChange(tx, scope, { action: 'created', kind: 'document', contactIds: [contactId], after: { id, name } })
  await announce(tx, row)
  return row
}

async function insertRow(tx: Db, values: Values): Promise<DocumentRow> {
  const [row] = await tx.insert(documents).values(values).returning()
  return row!
}
