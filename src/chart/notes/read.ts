import { and, asc, count, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { wereMerged } from '../../platform/audit/service.ts'
import type { Note } from './contract.ts'
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

/** Newest first. Null: the patient does not exist. */
export async function notesOf(scope: Scope, contactId: string) {
  const { db } = scope
  const [contact] = await db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const rows = await db
    .select({ ...summary, ...names })
    .from(clinicalNotes)
    .where(eq(clinicalNotes.contactId, contactId))
    .orderBy(desc(clinicalNotes.occurredOn), desc(clinicalNotes.id))
  const ids = rows.map(({ id }) => id)
  const counts = await db
    .select({ noteId: noteAddenda.noteId, addenda: count() })
    .from(noteAddenda)
    .where(inArray(noteAddenda.noteId, ids))
    .groupBy(noteAddenda.noteId)
  await scope.recordView({ kind: 'clinical note', contactIds: [contactId] })
  const countOf = new Map(counts.map(({ noteId, addenda }) => [noteId, addenda]))
  return rows.map((row) => ({ ...row, addendumCount: countOf.get(row.id) ?? 0 }))
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
