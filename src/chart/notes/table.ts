import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { NoteKind, NoteSection, NoteStatus, TemplateSection } from './rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)
const kindCheck = sql`kind in ('consult', 'pre_op', 'operative', 'post_op', 'phone', 'adverse_event', 'other')`

/** Templates of clinical notes. None is deleted, because notes refer to theirs. */
export const noteTemplates = pgTable(
  'note_templates',
  {
    id: id(),
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    kind: text('kind').$type<NoteKind>().notNull(),
    sections: jsonb('sections').$type<TemplateSection[]>().notNull(),
    /** Inactive ones are not offered for new notes. */
    isActive: boolean('is_active').notNull().default(true),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    updatedBy: uuid('updated_by').references(() => profiles.id),
  },
  (t) => [check('note_templates_kind', kindCheck), uniqueIndex('note_templates_name').on(sql`lower(${t.name})`)],
)

/**
 * Clinical notes. A signed one is immutable, and is deleted only with its patient (enforced by triggers): a merge may move it to another
 * patient, and a co-signature may be added.
 */
export const clinicalNotes = pgTable(
  'clinical_notes',
  {
    id: id(),
    version: integer('version').notNull().default(1),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    templateId: uuid('template_id')
      .notNull()
      .references(() => noteTemplates.id),
    kind: text('kind').$type<NoteKind>().notNull(),
    title: text('title').notNull(),
    /** The template's sections as they were when the note was started, with the answers. */
    sections: jsonb('sections').$type<NoteSection[]>().notNull(),
    /** The day of the visit, surgery or call. */
    occurredOn: date('occurred_on', { mode: 'string' }).notNull(),
    status: text('status').$type<NoteStatus>().notNull().default('draft'),
    authorId: uuid('author_id')
      .notNull()
      .references(() => profiles.id),
    /** Whether the author is not a provider, so that a provider has to sign. */
    needsCosign: boolean('needs_cosign').notNull(),
    signedBy: uuid('signed_by').references(() => profiles.id),
    signedAt: instant('signed_at'),
    /** The patient when it was signed, whom the seal covers: a merge changes contact_id. */
    patientAtSigning: uuid('patient_at_signing'),
    /** An HMAC of everything that was signed: see seal.ts. */
    seal: text('seal'),
    /** A second provider, who has read and confirmed the signed note. */
    cosignedBy: uuid('cosigned_by').references(() => profiles.id),
    cosignedAt: instant('cosigned_at'),
    cosignSeal: text('cosign_seal'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    updatedBy: uuid('updated_by')
      .notNull()
      .references(() => profiles.id),
  },
  (t) => [
    check('clinical_notes_kind', kindCheck),
    check('clinical_notes_status', sql`${t.status} in ('draft', 'signed')`),
    check(
      'clinical_notes_signed',
      sql`(${t.status} = 'signed') = (${t.signedAt} is not null) and num_nulls(${t.signedBy}, ${t.signedAt}, ${t.patientAtSigning}, ${t.seal}) in (0, 4)`,
    ),
    check(
      'clinical_notes_cosigned',
      sql`num_nulls(${t.cosignedBy}, ${t.cosignedAt}, ${t.cosignSeal}) in (0, 3) and (${t.cosignedBy} is null or ${t.status} = 'signed')`,
    ),
    index('clinical_notes_contact').on(t.contactId, t.occurredOn, t.id),
  ],
)

/** Later additions to signed notes. Immutable (enforced by triggers). */
export const noteAddenda = pgTable(
  'note_addenda',
  {
    id: id(),
    noteId: uuid('note_id')
      .notNull()
      .references(() => clinicalNotes.id),
    text: text('text').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => profiles.id),
    writtenAt: instant('written_at').notNull(),
    seal: text('seal').notNull(),
  },
  (t) => [index('note_addenda_note').on(t.noteId, t.id)],
)

/** Earlier states of notes while they were drafts. */
export const noteRevisions = pgTable(
  'note_revisions',
  {
    id: id(),
    noteId: uuid('note_id')
      .notNull()
      .references(() => clinicalNotes.id),
    title: text('title').notNull(),
    occurredOn: date('occurred_on', { mode: 'string' }).notNull(),
    sections: jsonb('sections').$type<NoteSection[]>().notNull(),
    /** When the note was in this state last, and who had written it. */
    at: instant('at').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => profiles.id),
    /** When it was kept. */
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('note_revisions_note').on(t.noteId, t.id)],
)
