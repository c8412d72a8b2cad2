import { asc, eq, inArray } from 'drizzle-orm'
import { letterheadOf, patientFacts, type PdfDocument, pdfResponse, type PracticeScope } from '../../kernel/pdf/document.ts'
import { renderPdf } from '../../kernel/pdf/render.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isUuid } from '../../shared/text.ts'
import { formatMediumDay, formatMediumInstant } from '../../shared/translations.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { isIntact, type NoteRow } from './read.ts'
import { answerText } from './rules.ts'
import { clinicalNotes, noteAddenda } from './table.ts'

/** GET /api/notes/{id}.pdf: a signed note. */
export async function notePdfResponse(scope: Scope, id: string): Promise<Response> {
  const [row] = isUuid(id) ? await scope.db.select().from(clinicalNotes).where(eq(clinicalNotes.id, id)) : []
  if (!row) return Response.json({ code: 'NOT_FOUND', message: 'This note does not exist' }, { status: 404 })
  if (row.status === 'draft') return Response.json({ code: 'NOT_SIGNED', message: 'This note is not signed yet' }, { status: 409 })
  await recordChange(scope.db, scope, { action: 'exported', kind: 'clinical note', contactIds: [row.contactId], after: { id } })
  return pdfResponse(notePdfName(row), await renderNote(scope, row))
}

export const notePdfName = ({ title, occurredOn }: Pick<NoteRow, 'title' | 'occurredOn'>): string => `${occurredOn} ${title}`

/** A note as a PDF. A draft says that it is one. */
export async function renderNote(scope: Pick<Scope, 'db'> & PracticeScope, row: NoteRow): Promise<Uint8Array<ArrayBuffer>> {
  const [contact] = await scope.db.select().from(contacts).where(eq(contacts.id, row.contactId))
  const { warning, parts, notes, authorName } = await noteForPdf(scope, row)
  const born = contact?.dateOfBirth ? `Born ${formatMediumDay(contact.dateOfBirth, 'en')}` : 'Date of birth not on file'
  const document: PdfDocument = {
    letterhead: letterheadOf(scope, 'en', { isClinical: true }),
    title: row.title,
    head: contact ? `${contact.firstName} ${contact.lastName} · ${born}` : born,
    warning,
    facts: [
      ...(contact ? patientFacts(contact) : []),
      { label: 'Date', value: formatMediumDay(row.occurredOn, 'en') },
      { label: 'Author', value: authorName },
    ],
    parts,
    notes,
  }
  return renderPdf(document)
}

/** What a PDF says of a note: its text with addenda, who signed it, and whether it is a draft or was altered. */
export async function noteForPdf({ db, env }: Pick<Scope, 'db' | 'env'>, row: NoteRow) {
  const addenda = await db.select().from(noteAddenda).where(eq(noteAddenda.noteId, row.id)).orderBy(asc(noteAddenda.id))
  const nameOf = await namesOf(db, [row.authorId, row.signedBy, row.cosignedBy, ...addenda.map(({ authorId }) => authorId)])
  const at = (instant: Date) => formatMediumInstant(instant, 'en', env.PRACTICE_TIME_ZONE)
  return {
    warning: row.status === 'draft' ? 'Draft' : (await isIntact(db, env, row, addenda)) ? null : 'Altered after it was signed',
    authorName: nameOf(row.authorId),
    parts: [
      ...row.sections.map((section) => ({ heading: section.title, text: answerText(section) || 'Not recorded' })),
      ...addenda.map(({ text, authorId, writtenAt }) => ({ heading: `Addendum by ${nameOf(authorId)}, ${at(writtenAt)}`, text })),
    ],
    notes: [
      ...(row.signedAt ? [`Signed electronically by ${nameOf(row.signedBy)} on ${at(row.signedAt)}`] : []),
      ...(row.cosignedAt ? [`Co-signed electronically by ${nameOf(row.cosignedBy)} on ${at(row.cosignedAt)}`] : []),
      ...(row.seal ? [`Seal: ${row.seal}`] : []),
    ],
  }
}

async function namesOf(db: Db, ids: readonly (string | null)[]): Promise<(id: string | null) => string> {
  const wanted = ids.filter((id) => id !== null)
  const rows = await db.select({ id: profiles.id, name: profiles.name }).from(profiles).where(inArray(profiles.id, wanted))
  return (id) => rows.find((row) => row.id === id)?.name ?? ''
}
