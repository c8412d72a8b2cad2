import { and, asc, desc, eq, inArray, sum } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { textOfWritten } from '../../platform/mail/written-rules.ts'
import type { AcceptedFile } from '../../documents/service.ts'
import { announceDraft, connectionOf } from './connection.ts'
import { type DraftKind, maxAttached, type Person } from './rules.ts'
import { sendDraft as sendDraftJob } from './send.ts'
import { mailboxDraftFiles, mailboxDrafts } from './table.ts'

type Row = typeof mailboxDrafts.$inferSelect
type Files = { id: string; name: string; mimeType: string; size: number }[]
export type Draft = Omit<Row, 'userId' | 'handedOverAt'> & { files: Files }

const file = { id: mailboxDraftFiles.id, name: mailboxDraftFiles.name, mimeType: mailboxDraftFiles.mimeType, size: mailboxDraftFiles.size }
const isOwn = (scope: Scope, id: string) => and(eq(mailboxDrafts.id, id), eq(mailboxDrafts.userId, staff(scope).id))

async function withFiles(db: Db, rows: readonly Row[]): Promise<Draft[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const found = await db
    .select({ draftId: mailboxDraftFiles.draftId, ...file })
    .from(mailboxDraftFiles)
    .where(inArray(mailboxDraftFiles.draftId, ids))
    .orderBy(asc(mailboxDraftFiles.id))
  const files = Map.groupBy(found, ({ draftId }) => draftId)
  return rows.map((row) => ({ ...row, files: files.get(row.id) ?? [] }))
}

const shown = async (db: Db, row: Row): Promise<Draft> => (await withFiles(db, [row]))[0]!

/** The actor's unsent drafts, newest first. */
export async function listDrafts(scope: Scope): Promise<Draft[]> {
  const rows = await scope.db
    .select()
    .from(mailboxDrafts)
    .where(eq(mailboxDrafts.userId, staff(scope).id))
    .orderBy(desc(mailboxDrafts.updatedAt), desc(mailboxDrafts.id))
  return withFiles(scope.db, rows)
}

/** Null: the actor has no such draft. */
export async function findDraft(scope: Scope, id: string): Promise<Draft | null> {
  const [row] = await scope.db.select().from(mailboxDrafts).where(isOwn(scope, id))
  return row ? shown(scope.db, row) : null
}

type Saved = {
  id: string
  kind: DraftKind
  answers: { messageId: string; threadId: string } | null
  to: Person[]
  cc: Person[]
  bcc: Person[]
  subject: string
  text: string
  html: string | null
  withSignature: boolean
  version: number
}

/** Saves a draft. Null: it no longer exists. CONFLICT: another window has saved other text since. */
export async function saveDraft(scope: Scope, { version, ...saved }: Saved) {
  const given = saved.html === null ? saved : { ...saved, text: textOfWritten(saved.html) }
  const userId = staff(scope).id
  if (!(await connectionOf(scope.db, userId))) return refuse('NOT_CONNECTED')
  return scope.db.transaction(async (tx) => {
    const [before] = await tx.select().from(mailboxDrafts).where(eq(mailboxDrafts.id, given.id)).for('update')
    // Ids come from the browser: another user's id must not be revealed.
    if (before && before.userId !== userId) return refuse('TAKEN')
    if (before?.state === 'sending') return refuse('SENDING')
    const values = { ...given, userId, state: 'draft' as const, problem: null, handedOverAt: null, updatedAt: scope.now() }
    // Sent or discarded in another window: a late save does not restore it.
    if (!before && version !== 0) return null
    if (before && before.version !== version) return refuse('CONFLICT', { draft: await shown(tx, before) })
    const next = { ...values, version: (before?.version ?? 0) + 1 }
    const [row] = before
      ? await tx.update(mailboxDrafts).set(next).where(eq(mailboxDrafts.id, given.id)).returning()
      : await tx.insert(mailboxDrafts).values(next).onConflictDoNothing().returning()
    if (!row) {
      const [other] = await tx.select().from(mailboxDrafts).where(isOwn(scope, given.id))
      return other ? refuse('CONFLICT', { draft: await shown(tx, other) }) : refuse('TAKEN')
    }
    await announceDraft(tx, row)
    return shown(tx, row)
  })
}

/** Locks an editable draft of the actor. Null: not found. */
async function withDraft<Value>(scope: Scope, id: string, work: (tx: Db, draft: Row) => Promise<Value>) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(mailboxDrafts).where(isOwn(scope, id)).for('update')
    if (!row) return null
    if (row.state === 'sending') return refuse('SENDING')
    const result = await work(tx, row)
    await announceDraft(tx, row)
    return result
  })
}

/** Discards a draft; its files are swept. */
export const deleteDraft = (scope: Scope, id: string) =>
  withDraft(scope, id, async (tx) => {
    await tx.delete(mailboxDrafts).where(eq(mailboxDrafts.id, id))
    return { id }
  })

/** Whether a file may be added to a draft, checked before the upload. */
export async function mayTakeFile(scope: Scope, id: string): Promise<boolean> {
  const draft = await findDraft(scope, id)
  return draft !== null && draft.state !== 'sending'
}

const tooLarge = () => refuse('TOO_LARGE', { fields: { files: 'The files are too large: 18 MB together at most' } })

/** Adds a stored file to a draft. */
export const addFile = (scope: Scope, id: string, { id: fileId, name, mimeType, size, storageKey }: AcceptedFile) =>
  withDraft(scope, id, async (tx) => {
    if ((await attachedTo(tx, id)) + size > maxAttached) return tooLarge()
    await tx.insert(mailboxDraftFiles).values({ id: fileId, draftId: id, name, mimeType, size, storageKey })
    return { id: fileId, name, mimeType, size }
  })

export const removeFile = (scope: Scope, id: string, fileId: string) =>
  withDraft(scope, id, async (tx, draft) => {
    await tx.delete(mailboxDraftFiles).where(and(eq(mailboxDraftFiles.id, fileId), eq(mailboxDraftFiles.draftId, id)))
    return shown(tx, draft)
  })

async function attachedTo(tx: Db, draftId: string): Promise<number> {
  const [row] = await tx
    .select({ size: sum(mailboxDraftFiles.size).mapWith(Number) })
    .from(mailboxDraftFiles)
    .where(eq(mailboxDraftFiles.draftId, draftId))
  return row?.size ?? 0
}

/** Queues a draft for sending. Idempotent: a second request finds it already queued. */
export async function sendDraft(scope: Scope, id: string, version: number) {
  const connection = await connectionOf(scope.db, staff(scope).id)
  if (!connection) return refuse('NOT_CONNECTED')
  if (connection.state === 'reconnect') return refuse('RECONNECT')
  const result = await withDraft(scope, id, async (tx, draft) => {
    if (draft.version !== version) return refuse('CONFLICT', { draft: await shown(tx, draft) })
    if (draft.to.length + draft.cc.length + draft.bcc.length === 0) return refuse('NO_RECIPIENT', { fields: { to: 'Add a recipient' } })
    if ((await attachedTo(tx, id)) > maxAttached) return tooLarge()
    const set = { state: 'sending' as const, problem: null, handedOverAt: null }
    const [row] = await tx.update(mailboxDrafts).set(set).where(eq(mailboxDrafts.id, id)).returning()
    await enqueue(tx, sendDraftJob, { id }, `mailbox draft ${id}`)
    return shown(tx, row!)
  })
  return isRefusal(result) && result.refusal === 'SENDING' ? findDraft(scope, id) : result
}
