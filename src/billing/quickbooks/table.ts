import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { ListKind } from './rules.ts'

/** The connected QuickBooks company; at most one row. The tokens are sealed (kernel/seal.ts). */
export const quickbooksConnection = pgTable(
  'quickbooks_connection',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    realmId: text('realm_id').notNull(),
    companyName: text('company_name').notNull(),
    state: text('state').$type<'connected' | 'reconnect'>().notNull(),
    accessToken: text('access_token').notNull(),
    accessExpiresAt: instant('access_expires_at').notNull(),
    refreshToken: text('refresh_token').notNull(),
    refreshExpiresAt: instant('refresh_expires_at').notNull(),
    connectedBy: uuid('connected_by').references(() => profiles.id),
    connectedAt: instant('connected_at').notNull(),
  },
  (t) => [check('quickbooks_connection_only', sql`${t.isOnly}`)],
)

/** The company's accounts, classes, tax codes, items and customers as last read. */
export const quickbooksObjects = pgTable(
  'quickbooks_objects',
  {
    kind: text('kind').$type<ListKind>().notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    email: text('email'),
    isActive: boolean('is_active').notNull(),
    /** Other data in the shape of its kind (lists.ts). */
    facts: jsonb('facts').$type<Record<string, unknown>>().notNull(),
    readAt: instant('read_at').notNull(),
    search: text('search').generatedAlwaysAs(sql`fold(name || ' ' || coalesce(email, '') || ' ' || coalesce(facts->>'description', ''))`),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] }), index('quickbooks_objects_search').using('gin', sql`kind`, sql`search gin_trgm_ops`)],
)

/** When each list was last read completely. */
export const quickbooksLists = pgTable('quickbooks_lists', {
  kind: text('kind').$type<ListKind>().primaryKey(),
  readAt: instant('read_at').notNull(),
})

/** Links QuickBooks customers to patients. A patient may have several customers, for example after a merge. */
export const contactCustomers = pgTable(
  'contact_customers',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    customerId: text('customer_id').notNull().unique(),
    linkedAt: instant('linked_at').notNull(),
  },
  (t) => [index('contact_customers_contact').on(t.contactId)],
)
