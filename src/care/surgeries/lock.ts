import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import { holdContact } from '../appointments/service.ts'
import type { contacts } from '../../crm/contacts/table.ts'
import { surgeries } from './table.ts'

export type Row = typeof surgeries.$inferSelect
export type ContactRow = typeof contacts.$inferSelect
/** A case for a change, locked, with its patient. */
export interface Locked {
  row: Row
  contact: ContactRow
}

/** The patient first, as merges and deletions lock them. A merge that came first has given the case another patient. */
export async function lock(tx: Db, id: string): Promise<Locked | null> {
  const [seen] = await tx.select({ contactId: surgeries.contactId }).from(surgeries).where(eq(surgeries.id, id))
  if (!seen) return null
  const contact = await holdContact(tx, seen.contactId)
  const [row] = await tx.select().from(surgeries).where(eq(surgeries.id, id)).for('no key update')
  if (!row) return null
  return contact && row.contactId === contact.id ? { row, contact } : lock(tx, id)
}
