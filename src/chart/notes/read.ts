import { and, asc, desc, eq, getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Db, prepared } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { wereMerged } from '../../platform/audit/service.ts'
import { cursorPage } from '../../shared/page-lists.ts'
import type { Note } from './contract.ts'
import type { NoteStatus } from './rules.ts'
import { isSealed } from './seal.ts'
import { clinicalNotes, noteAddenda, noteRevisions } from './table.ts'

export type NoteRow = typeof clinicalNotes.$inferSelect
type AddendumRow = typeof noteAddenda.$inferSelect

/** Also of people who have left. */
const nameOf = (id: AnyPgColumn) => sql<string>`(select full_name from profiles where profiles.id = ${id})`

const names = {
  authorName: nameOf(clinicalNotes.authorId),
  signedByName: nameOf(clinicalNotes.signedBy) as SQL<string | null>,
  cosignedByName: nameOf(clinicalNotes.cosignedBy) as SQL<string | null>,
}
const { sections: _sections, ...summary } = getTableColumns(clinicalNotes)

interface NotesPage {
  contactId: string
  cursor?: { occurredOn: string; id: string } | undefined
  limit: number
}

const { id, occurredOn, contactId: ofContact } = clinicalNotes
const addendumCount = sql<number>`(select count(*)::int from ${noteAddenda} where note_id = ${clinicalNotes}.id)`
/** How many notes the patient has. A statement of its own would take longer to send than to run. */
const countsOf = (contactId: string | Placeholder) => sql<Record<NoteStatus, number>>`(
  select jsonb_build_object('signed', count(*) filter (where status = 'signed'), 'draft', count(*) filter (where status = 'draft'))
  from ${clinicalNotes} as every where every.contact_id = ${contactId}::uuid)`

const notesPage = (db: Db, contactId: string | Placeholder, rowLimit: number | Placeholder, cursor?: NotesPage['cursor']) =>
  db
    .select({ ...summary, ...names, addendumCount, counts: countsOf(contactId) })
    .from(clinicalNotes)
    .where(and(eq(ofContact, contactId), cursor && sql`(${occurredOn}, ${id}) < (${cursor.occurredOn}::date, ${cursor.id}::uuid)`))
    .orderBy(desc(occurredOn), desc(id))
    .limit(rowLimit)

const firstNotes = prepared((db) => notesPage(db, sql.placeholder('contactId'), sql.placeholder('rowLimit')).prepare('notes'))

/** A page of a patient's notes, newest first, and how many there are. Null: the patient does not exist. */
export async function notesOf(scope: Scope, { contactId, cursor, limit }: NotesPage) {
  const { db } = scope
  const rowLimit = limit + 1
  const read = cursor ? notesPage(db, contactId, rowLimit, cursor) : firstNotes(db).execute({ contactId, rowLimit })
  const rows = await readOfPatient(scope, 'clinical note', contactId, read)
  if (!rows) return null
  const page = cursorPage(rows, limit, (last) => ({ occurredOn: last.occurredOn, id: last.id }))
  return { ...page, counts: rows[0]?.counts ?? { signed: 0, draft: 0 } }
}

/** A note with its addenda, and whether they are as they were signed. Null: note not found. */
export async function getNote(db: Db, env: Scope['env'], id: string): Promise<Note | null> {
  const [row] = await db
    .select({ ...getTableColumns(clinicalNotes), ...names })
    .from(clinicalNotes)
    .where(eq(clinicalNotes.id, id))
  if (!row) return null
  const addenda = await db
    .select({ ...getTableColumns(noteAddenda), authorName: nameOf(noteAddenda.authorId) })
    .from(noteAddenda)
    .where(eq(noteAddenda.noteId, id))
    .orderBy(asc(noteAddenda.id))
  return { ...row, addenda, isIntact: row.status === 'signed' ? await isIntact(db, env, row, addenda) : null }
}

/** Whether a signed note and its addenda are as they were signed, and in the record of the same patient, or of one they were merged into. */
export const isIntact = async (db: Db, env: Scope['env'], note: NoteRow, addenda: readonly AddendumRow[]): Promise<boolean> =>
  isSealed(env, note, addenda) &&
  (note.patientAtSigning === note.contactId || (await wereMerged(db, note.contactId, note.patientAtSigning!)))

export async function viewNote(scope: Scope, id: string) {
  const note = await getNote(scope.db, scope.env, id)
  if (note) await scope.recordView({ kind: 'clinical note', contactIds: [note.contactId] })
  return note
}

const revisionColumns = {
  id: noteRevisions.id,
  at: noteRevisions.at,
  authorId: noteRevisions.authorId,
  authorName: nameOf(noteRevisions.authorId),
}

/** The earlier states of a note, newest first. Null: note not found. */
export async function listRevisions(scope: Scope, id: string) {
  const contactId = await patientOf(scope.db, id)
  if (contactId === null) return null
  await scope.recordView({ kind: 'clinical note', contactIds: [contactId] })
  return scope.db.select(revisionColumns).from(noteRevisions).where(eq(noteRevisions.noteId, id)).orderBy(desc(noteRevisions.id))
}

/** Null: not found. */
export async function getRevision(scope: Scope, { id, revisionId }: { id: string; revisionId: string }) {
  const contactId = await patientOf(scope.db, id)
  const [revision] = await scope.db
    .select({ ...revisionColumns, title: noteRevisions.title, occurredOn: noteRevisions.occurredOn, sections: noteRevisions.sections })
    .from(noteRevisions)
    .where(and(eq(noteRevisions.id, revisionId), eq(noteRevisions.noteId, id)))
  if (contactId === null || !revision) return null
  await scope.recordView({ kind: 'clinical note', contactIds: [contactId] })
  return revision
}

async function patientOf(db: Db, id: string): Promise<string | null> {
  const [note] = await db.select({ contactId: clinicalNotes.contactId }).from(clinicalNotes).where(eq(clinicalNotes.id, id))
  return note?.contactId ?? null
}
