import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/database.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { appointments } from './table.ts'

export type Row = typeof appointments.$inferSelect
export type ContactRow = typeof contacts.$inferSelect
/** An appointment for a change, locked, with its patient. */
export interface Locked {
  row: Row
  contact: ContactRow
}

/** A patient for a change. Their key stays free to be referred to: what belongs to them may be written in the meantime. */
export async function holdContact(tx: Db, id: string): Promise<ContactRow | null> {
  const [contact] = await tx.select().from(contacts).where(eq(contacts.id, id)).for('no key update')
  return contact ?? null
}

/** The patient first, as merges and deletions lock them. A merge that came first has given the appointment another patient. */
export async function lock(tx: Db, id: string): Promise<Locked | null> {
  const [seen] = await tx.select({ contactId: appointments.contactId }).from(appointments).where(eq(appointments.id, id))
  if (!seen) return null
  const contact = await holdContact(tx, seen.contactId)
  const [row] = await tx.select().from(appointments).where(eq(appointments.id, id)).for('no key update')
  if (!row) return null
  return contact && row.contactId === contact.id ? { row, contact } : lock(tx, id)
}
