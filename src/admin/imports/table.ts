import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { FileRefusalCode } from '../../documents/contract.ts'
import type { FileKind } from '../../documents/rules.ts'
import type { CheckCounts, FindingKind, ImportColumn, ImportProblem, ImportStatus, MatchChoice, RunCounts } from './contract.ts'
import type { ImportKind } from './kind-rules.ts'

const importIdColumn = () =>
  uuid('import_id')
    .notNull()
    .references(() => imports.id, { onDelete: 'cascade' })

/** An import with its progress. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    kind: text('kind').$type<ImportKind>().notNull().default('patients'),
    fileName: text('file_name').notNull(),
    encoding: text('encoding').notNull(),
    /** Equal for files with the same headers, so that the mapping of one is offered for the next. */
    headerKey: text('header_key').notNull(),
    columns: jsonb('columns').$type<ImportColumn[]>().notNull(),
    rowCount: integer('row_count').notNull().default(0),
    status: text('status').$type<ImportStatus>().notNull().default('mapping'),
    onMatch: text('on_match').$type<MatchChoice>(),
    /** The first row of the next batch, updated in the transaction of each batch, so that none is processed twice. */
    nextRow: integer('next_row').notNull().default(0),
    checked: jsonb('checked').$type<CheckCounts>(),
    result: jsonb('result').$type<RunCounts>(),
    newTags: jsonb('new_tags').$type<string[]>().notNull().default([]),
    undone: integer('undone').notNull().default(0),
    kept: integer('kept').notNull().default(0),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    /** Who started the current step; an administrator may undo someone else's import. */
    askedBy: uuid('asked_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('imports_created_by').on(t.createdBy, t.createdAt.desc()), index('imports_header_key').on(t.headerKey, t.createdAt.desc())],
)

/** The raw rows of the file, one batch per row. */
export const importBatches = pgTable(
  'import_batches',
  {
    importId: importIdColumn(),
    firstRow: integer('first_row').notNull() /** Each row with its number in the file. */,
    rows: jsonb('rows').$type<[number, string[]][]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.firstRow] })],
)

/** The emails, phones or record keys seen during a check, each with its first row. Deleted after the check. */
export const importKeys = pgTable(
  'import_keys',
  { importId: importIdColumn(), key: text('key').notNull(), row: integer('row').notNull() },
  (t) => [primaryKey({ columns: [t.importId, t.key] })],
)

/** Findings about rows from the check, the run and the undo. No foreign key, because the patient may be deleted. */
export const importFindings = pgTable(
  'import_findings',
  {
    importId: importIdColumn(),
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
 * What the run changed in a patient, or which record it created, with what the undo needs. No foreign key, because either may be deleted or
 * merged.
 */
export const importOutcomes = pgTable(
  'import_outcomes',
  {
    importId: importIdColumn(),
    row: integer('row').notNull(),
    /** For a record: its patient; null if it has none. */
    contactId: uuid('contact_id'),
    /** The added task, interaction or document; null for a patient. */
    recordId: uuid('record_id'),
    kind: text('kind').$type<'added' | 'filled'>().notNull(),
    /** For a patient: the values of the filled fields. For an interaction that changed the last contact: its previous and new value. */
    filled: jsonb('filled').$type<Record<string, unknown>>(),
    /** The tags added to an existing patient. */
    tagIds: uuid('tag_ids').array(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.row] }),
    index('import_outcomes_contact').on(t.importId, t.contactId),
    index('import_outcomes_record').on(t.importId, t.recordId),
  ],
)

/**
 * Files uploaded for an import of documents, until it has run. Their bytes are in the file store; bytes without a document are swept like
 * any unused file.
 */
export const importFiles = pgTable(
  'import_files',
  {
    importId: importIdColumn(),
    /** The normalized path, so that a second file with the same path replaces the first, and its file name. */
    key: text('key').notNull(),
    base: text('base').notNull(),
    /** The path as uploaded. */
    path: text('path').notNull(),
    /** Why the file was refused; it then has no bytes and no details. */
    refusal: text('refusal').$type<FileRefusalCode>(),
    documentId: uuid('document_id'),
    name: text('name'),
    mimeType: text('mime_type').$type<FileKind>(),
    size: bigint('size', { mode: 'number' }),
    sha256: text('sha256'),
    storageKey: text('storage_key'),
    /** The first row that uses it. */
    row: integer('row'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.key] }),
    index('import_files_base').on(t.importId, t.base),
    index('import_files_storage_key').on(t.storageKey),
  ],
)
