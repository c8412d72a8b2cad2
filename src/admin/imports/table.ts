import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { profiles } from '../../platform/auth/table.ts'
import type { FileRefusalCode } from '../../documents/contract.ts'
import type { FileKind } from '../../documents/rules.ts'
import type { CheckCounts, FindingKind, ImportColumn, ImportProblem, ImportStatus, MatchChoice, RunCounts } from './contract.ts'
import type { ImportKind } from './kind-rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const ofImport = () =>
  uuid('import_id')
    .notNull()
    .references(() => imports.id, { onDelete: 'cascade' })

/** A file that is imported, and how far it has come. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    kind: text('kind').$type<ImportKind>().notNull().default('patients'),
    fileName: text('file_name').notNull(),
    encoding: text('encoding').notNull(),
    /** The same for files with the same headers: what was chosen for one is offered for the next. */
    headerKey: text('header_key').notNull(),
    columns: jsonb('columns').$type<ImportColumn[]>().notNull(),
    rowCount: integer('row_count').notNull().default(0),
    status: text('status').$type<ImportStatus>().notNull().default('mapping'),
    onMatch: text('on_match').$type<MatchChoice>(),
    /** The first row of the batch that comes next: moved on in the transaction of each batch, so that none is done twice. */
    nextRow: integer('next_row').notNull().default(0),
    checked: jsonb('checked').$type<CheckCounts>(),
    result: jsonb('result').$type<RunCounts>(),
    newTags: jsonb('new_tags').$type<string[]>().notNull().default([]),
    undone: integer('undone').notNull().default(0),
    kept: integer('kept').notNull().default(0),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    /** In whose name the work under way is done: an administrator may undo what someone else has imported. */
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('imports_created_by').on(t.createdBy, t.createdAt.desc()), index('imports_header_key').on(t.headerKey, t.createdAt.desc())],
)

/** The file's rows as they were read, a batch to a line. */
export const importBatches = pgTable(
  'import_batches',
  {
    importId: ofImport(),
    firstRow: integer('first_row').notNull() /** Each with its number in the file. */,
    rows: jsonb('rows').$type<[number, string[]][]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.firstRow] })],
)

/** Emails and phones of the rows that a check has seen, or what tells a record from others, each with the first row that has it. Gone once the check is over. */
export const importKeys = pgTable(
  'import_keys',
  { importId: ofImport(), key: text('key').notNull(), row: integer('row').notNull() },
  (t) => [primaryKey({ columns: [t.importId, t.key] })],
)

/** What is to be said of a row: by the check, then by the run, then by the undo. No foreign key: the patient may be gone. */
export const importFindings = pgTable(
  'import_findings',
  {
    importId: ofImport(),
    kind: text('kind').$type<FindingKind>().notNull(),
    row: integer('row').notNull(),
    name: text('name').notNull().default(''),
    problems: jsonb('problems').$type<ImportProblem[]>().notNull().default([]),
    contactId: uuid('contact_id'),
    note: text('note'),
  },
  (t) => [primaryKey({ columns: [t.importId, t.kind, t.row] })],
)

/**
 * What the run did to a patient, or which record it made, and what is needed to take it back. No foreign key: either may be deleted or merged
 * in the meantime.
 */
export const importOutcomes = pgTable(
  'import_outcomes',
  {
    importId: ofImport(),
    row: integer('row').notNull(),
    /** Of a record: the patient whose it was; null where it was no one's. */
    contactId: uuid('contact_id'),
    /** The task, entry or document that was added; null for a patient. */
    recordId: uuid('record_id'),
    kind: text('kind').$type<'added' | 'filled'>().notNull(),
    /** Of a patient whose empty fields were filled: what with. Of an entry that moved a patient's last contact: from when, to when. */
    filled: jsonb('filled').$type<Record<string, unknown>>(),
    /** The tags that it put on a patient who was there before. */
    tagIds: uuid('tag_ids').array(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.row] }),
    index('import_outcomes_contact').on(t.importId, t.contactId),
    index('import_outcomes_record').on(t.importId, t.recordId),
  ],
)

/**
 * The files that were sent for the rows of an import of documents, until it has run. Their bytes lie in the file store; those of a file that
 * became no document are swept like any that nothing refers to.
 */
export const importFiles = pgTable(
  'import_files',
  {
    importId: ofImport(),
    /** The path in one form, by which a second file of the same name takes the place of the first; and its last part. */
    key: text('key').notNull(),
    base: text('base').notNull(),
    /** As it was sent. */
    path: text('path').notNull(),
    /** Why it was not taken; then there are no bytes, and nothing is known of them. */
    refusal: text('refusal').$type<FileRefusalCode>(),
    documentId: uuid('document_id'),
    name: text('name'),
    mimeType: text('mime_type').$type<FileKind>(),
    size: bigint('size', { mode: 'number' }),
    sha256: text('sha256'),
    storageKey: text('storage_key'),
    /** The first row that names it. */
    row: integer('row'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.key] }),
    index('import_files_base').on(t.importId, t.base),
    index('import_files_storage_key').on(t.storageKey),
  ],
)
