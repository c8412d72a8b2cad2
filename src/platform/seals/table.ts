import { sql } from 'drizzle-orm'
import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../auth/table.ts'

/** Keys that seal PDFs. One is in use; the others stay, because their certificates verify what they sealed. */
export const signingKeys = pgTable(
  'signing_keys',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** The practice's name in the certificate. */
    name: text('name').notNull(),
    /** Base64 of DER, as is the key before it is sealed. */
    certificate: text('certificate').notNull(),
    /** SHA-256 of the certificate, in hex. */
    fingerprint: text('fingerprint').notNull().unique(),
    /** The private key (PKCS#8), sealed (kernel/seal.ts). */
    sealedKey: text('sealed_key').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Null for the first key, which no one asked for. */
    createdBy: uuid('created_by').references(() => profiles.id),
    expiresAt: instant('expires_at').notNull(),
    /** Null: in use. */
    retiredAt: instant('retired_at'),
  },
  (table) => [
    uniqueIndex('signing_keys_in_use')
      .on(sql`(true)`)
      .where(sql`${table.retiredAt} is null`),
  ],
)

/** Certificates of time-stamp authorities that this practice has used, by which their time-stamps are recognized later. */
export const timestampCertificates = pgTable('timestamp_certificates', {
  fingerprint: text('fingerprint').primaryKey(),
  certificate: text('certificate').notNull(),
  firstUsedAt: instant('first_used_at').notNull(),
})
