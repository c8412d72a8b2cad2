import { type SQL, sql } from 'drizzle-orm'
import { type ChildTable, childTables } from '../../crm/contacts/owned-rules.ts'

export type Child = {
  table: ChildTable
  /** What tells the rows of one contact apart. */
  key: 'id' | 'tag_id'
  /** What must stay unique there together with contact_id. */
  unique?: 'automation' | 'tag_id'
  /** An undo asks nothing about what was changed since, and leaves it so: an appointment's old time may be someone else's by now. */
  keepsChanges?: true
  /** What a row (in JSON) is about, for a person who has to decide about it. */
  title: (row: SQL) => SQL
}

/**
 * Every table that refers to contacts. A test compares this list with the database's foreign keys: a new table that refers to contacts has
 * to be added here, with its name in rules.ts, by which it is deleted with its patient too.
 */
const children: Record<ChildTable, Omit<Child, 'table'>> = {
  interactions: { key: 'id', title: (row) => sql`${row}->>'description'` },
  contact_tags: { key: 'tag_id', unique: 'tag_id', title: (row) => sql`(select name from tags where id = (${row}->>'tag_id')::uuid)` },
  contact_stage_history: {
    key: 'id',
    title: (row) => sql`(select name from funnel_stages where id = (${row}->>'to_stage')::uuid)`,
  },
  lead_entries: { key: 'id', title: (row) => sql`(select name from lead_sources where id = (${row}->>'source_id')::uuid)` },
  automation_state: { key: 'id', unique: 'automation', title: (row) => sql`${row}->>'automation'` },
  tasks: { key: 'id', title: (row) => sql`${row}->>'title'` },
  appointments: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'type'` },
  surgeries: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->'procedures'->0->>'name'` },
  quotes: { key: 'id', keepsChanges: true, title: (row) => sql`${row}->>'title'` },
  documents: { key: 'id', title: (row) => sql`${row}->>'name'` },
  ledger_entries: { key: 'id', title: (row) => sql`${row}->>'description'` },
  collection_notes: { key: 'id', title: (row) => sql`${row}->>'kind'` },
  conversations: { key: 'id', title: (row) => sql`${row}->>'subject'` },
  mailbox_links: { key: 'id', title: (row) => sql`${row}->>'subject'` },
  consents: { key: 'id', title: (row) => sql`${row}->>'basis'` },
  contact_customers: {
    key: 'id',
    title: (row) =>
      sql`coalesce((select name from quickbooks_objects where kind = 'customer' and id = ${row}->>'customer_id'), ${row}->>'customer_id')`,
  },
}

export const contactChildren: Child[] = childTables.map((table) => ({ table, ...children[table] }))
