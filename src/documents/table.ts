import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../kernel/postgres/columns.ts'
import { profiles } from '../platform/auth/table.ts'
import { contacts } from '../crm/contacts/table.ts'
import type { DocumentType, FileKind, ReviewState, ScanState } from './rules.ts'

/**
 * Documents of patients (spec 3). The bytes are in the file store under `storage_key`, and are stored before the row is committed.
 * Row-level security lets the portal's role see the rows of one patient only (see portal/as-patient.ts).
 */
export const documents = pgTable(
  'documents',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    /** Detected from the bytes, whatever the sender claimed. */
    mimeType: text('mime_type').$type<FileKind>().notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    storageKey: text('storage_key').notNull().unique(),
    uploadSource: text('upload_source').$type<'patient' | 'clinic'>().notNull(),
    documentType: text('document_type').$type<DocumentType>().notNull(),
    description: text('description'),
    isShared: boolean('is_shared').notNull(),
    reviewState: text('review_state').$type<ReviewState>().notNull(),
    rejectReason: text('reject_reason'),
    reviewedBy: uuid('reviewed_by').references(() => profiles.id),
    reviewedAt: instant('reviewed_at'),
    scanState: text('scan_state').$type<ScanState>().notNull(),
    uploadedBy: uuid('uploaded_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    deletedAt: instant('deleted_at'),
    deletedBy: uuid('deleted_by').references(() => profiles.id),
  },
  (t) => [
    index('documents_contact').on(t.contactId, t.createdAt),
    index('documents_waiting')
      .on(t.createdAt)
      .where(sql`${t.reviewState} = 'pending' and ${t.deletedAt} is null`),
    index('documents_deleted')
      .on(t.deletedAt)
      .where(sql`${t.deletedAt} is not null`),
  ],
)

/**
 * Stored files that nothing refers to, and since when: from interrupted uploads, or of deleted patients who may be restored. See the sweep
 * in admin/retention.
 */
export const unusedFiles = pgTable('unused_files', { storageKey: text('storage_key').primaryKey(), foundAt: instant('found_at').notNull() })

/** How far the encryption of stored files with the current key is; one row. See encryption.ts. */
export const fileEncryption = pgTable(
  'file_encryption',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    /** Files in plain text or with an old key when they were last counted. */
    remaining: integer('remaining').notNull(),
    countedAt: instant('counted_at').notNull(),
  },
  (t) => [check('file_encryption_one_row', sql`${t.isOnly}`)],
)
