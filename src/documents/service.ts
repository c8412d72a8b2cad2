import { and, asc, count, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import { refuse } from '../kernel/refusal.ts'
import { exactInstant, isNewerThan } from '../kernel/postgres/cursors.ts'
import { type Scope, staff } from '../kernel/scope.ts'
import { slot } from '../kernel/slot.ts'
import { cursorPage, type InstantPlace, placeOf } from '../shared/page-lists.ts'
import { recordChange } from '../platform/audit/service.ts'
import { difference } from '../kernel/audit/rules.ts'
import { readOfPatient } from '../crm/contacts/service.ts'
import { contacts, identityColumns } from '../crm/contacts/table.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import type { ChangedDocument, Reviewed } from './contract.ts'
import { publishChange, notifyPatient } from './notifications.ts'
import { safeName } from './rules.ts'
import { enqueueScan } from './scan.ts'
import { documents } from './table.ts'

export { readFileEncryption, recordDamage, reencryptFiles } from './encryption.ts'
export { preparePhoto, renderLogo, renderPhoto, renderPortrait, watermarkPhoto } from './inspection/file-pools.ts'
export { disposition, sendFile, sendPreview } from './send.ts'
export {
  FileRefused,
  incomingFolder,
  storeFile,
  storeRows,
  receiveFile,
  type AcceptedFile,
  acceptFile,
  acceptPicture,
  unlessStalled,
} from './accept-file.ts'

export type DocumentRow = typeof documents.$inferSelect
const notDeleted = isNull(documents.deletedAt)

/** The patient's documents, newest first; null if there is no such patient. */
export async function listDocuments(scope: Scope, contactId: string): Promise<DocumentRow[] | null> {
  const read = scope.db
    .select()
    .from(documents)
    .where(and(eq(documents.contactId, contactId), notDeleted))
    .orderBy(desc(documents.createdAt), desc(documents.id))
  return readOfPatient(scope, 'document', contactId, read)
}

const isPendingReview = and(eq(documents.reviewState, 'pending'), notDeleted)

/** A page of patient uploads waiting for review, oldest first, with their total. */
export async function listWaiting(scope: Scope, { cursor, limit }: { cursor?: InstantPlace | undefined; limit: number }) {
  const [rows, total] = await Promise.all([
    scope.db
      .select({
        ...getTableColumns(documents),
        contact: identityColumns,
        exact: exactInstant(documents.createdAt),
      })
      .from(documents)
      .innerJoin(contacts, eq(contacts.id, documents.contactId))
      .where(and(isPendingReview, isNewerThan(cursor, documents.createdAt, documents.id)))
      .orderBy(asc(documents.createdAt), asc(documents.id))
      .limit(limit + 1),
    countWaiting(scope),
  ])
  const page = cursorPage(rows, limit, placeOf)
  const contactIds = [...new Set(page.data.map(({ contactId }) => contactId))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'document', contactIds })
  return { ...page, total }
}

/** For the badge on every page, which shows no patient data and is therefore not logged as a view. */
export async function countWaiting({ db }: Scope): Promise<number> {
  const [result] = await db.select({ count: count() }).from(documents).where(isPendingReview)
  return result?.count ?? 0
}

/** A document that is not deleted, for sending its bytes. */
export async function findDocument(scope: Scope, id: string): Promise<DocumentRow | null> {
  const [row] = await scope.db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), notDeleted))
  return row ?? null
}

export function updateDocument(scope: Scope, { id, version, name, ...fields }: ChangedDocument) {
  return changeDocument(scope, id, version, (before) => ({
    ...fields,
    ...(name === undefined ? {} : { name: withExtension(name, before) }),
  }))
}

/** The new name with the file's extension. */
export function withExtension(name: string, { name: before }: Pick<DocumentRow, 'name'>): string {
  const extension = /\.[a-z0-9]{1,8}$/i.exec(before)?.[0] ?? ''
  const safe = safeName(name)
  return safe.toLowerCase().endsWith(extension.toLowerCase()) ? safe : safeName(`${safe}${extension}`)
}

/** Accepts or rejects a patient upload and queues the email to the patient. A decision can be changed, which sends another email. */
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

/** Null if there is no such document; CONFLICT with the current document if it changed after that version. */
async function changeDocument(
  scope: Scope,
  id: string,
  version: number,
  change: (before: DocumentRow) => Partial<DocumentRow>,
  afterChange?: (tx: Db, before: DocumentRow, after: DocumentRow) => Promise<void>,
) {
  return scope.db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(documents)
      .where(and(eq(documents.id, id), notDeleted))
      .for('update')
    if (!before) return null
    if (before.version !== version) return refuse('CONFLICT', { current: before })
    const [after] = await tx
      .update(documents)
      .set({ ...change(before), version: before.version + 1 })
      .where(eq(documents.id, id))
      .returning()
    await afterChange?.(tx, before, after!)
    await recordChange(tx, scope, { action: 'changed', kind: 'document', contactIds: [before.contactId], ...changeOf(before, after!) })
    await publishChange(tx, after!)
    return after!
  })
}

const changeOf = (before: DocumentRow, after: DocumentRow) => {
  const changed = difference(before, after)
  return { before: { id: before.id, ...changed.before }, after: changed.after }
}

/** Null if there is no such document. Its bytes are kept as long as it can be restored. */
/** Whether something that has to be kept refers to a document. Filled by consent forms, which belong to a later domain. */
export const isEvidence = slot<(db: Db, id: string) => Promise<boolean>>('isEvidence')

/** IN_USE: a consent that was signed on paper has no other evidence. */
export const deleteDocument = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    await tx.select({ id: documents.id }).from(documents).where(eq(documents.id, id)).for('update')
    if (await isEvidence(tx, id)) return refuse('IN_USE')
    return setDeletedIn(tx, scope, id, notDeleted, { deletedAt: scope.now(), deletedBy: staff(scope).id }, 'deleted')
  })

export const restoreDocument = (scope: Scope, id: string): Promise<DocumentRow | null> =>
  setDeleted(scope, id, sql`${documents.deletedAt} is not null`, { deletedAt: null, deletedBy: null }, 'restored')

const setDeleted = (...[scope, ...rest]: SetDeletedArgs): Promise<DocumentRow | null> =>
  scope.db.transaction((tx) => setDeletedIn(tx, scope, ...rest))

type SetDeletedArgs = [
  scope: Scope,
  id: string,
  where: typeof notDeleted,
  set: Pick<DocumentRow, 'deletedAt' | 'deletedBy'>,
  action: 'deleted' | 'restored',
]

async function setDeletedIn(tx: Db, ...[scope, id, where, set, action]: SetDeletedArgs): Promise<DocumentRow | null> {
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
  await publishChange(tx, row)
  return row
}

/**
 * Deletes documents that no one has changed since they were added; they can be restored like any deleted document. Returns the names of
 * those that were changed and stay, and the ids of those that no longer exist.
 */
export async function deleteUntouched(
  tx: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<{ touched: Map<string, string>; gone: Set<string> }> {
  const rows = await tx
    .select()
    .from(documents)
    .where(and(inArray(documents.id, [...ids]), notDeleted))
    .orderBy(asc(documents.id))
    .for('update')
  const marked = { deletedAt: scope.now(), deletedBy: staff(scope).id }
  for (const { id, version } of rows) if (version === 1) await setDeletedIn(tx, scope, id, notDeleted, marked, 'deleted')
  const known = new Set(rows.map(({ id }) => id))
  return {
    touched: new Map(rows.filter(({ version }) => version !== 1).map(({ id, name }) => [id, name])),
    gone: new Set(ids.filter((id) => !known.has(id))),
  }
}

type Values = typeof documents.$inferInsert
export type NewDocument = Omit<Values, 'scanState'>

/**
 * Inserts the document of a file that is already stored, adds a timeline entry and queues a malware scan, in the caller's transaction.
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
  await publishChange(tx, row)
  return row
}

async function insertRow(tx: Db, values: Values): Promise<DocumentRow> {
  const [row] = await tx.insert(documents).values(values).returning()
  return row!
}
