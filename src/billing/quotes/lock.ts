import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { lockContact } from '../../care/reservations/service.ts'
import type { contacts } from '../../crm/contacts/table.ts'
import { quotes } from './table.ts'

export type Row = typeof quotes.$inferSelect
/** A quote version locked for a change, with its patient. */
export interface Locked {
  row: Row
  contact: typeof contacts.$inferSelect
}

/** Locks the patient first, like merges and deletions, which serializes changes to their quotes. Retries if a merge moved the quote. */
export async function lock(tx: Db, id: string): Promise<Locked | null> {
  const [seen] = await tx.select({ contactId: quotes.contactId }).from(quotes).where(eq(quotes.id, id))
  if (!seen) return null
  const contact = await lockContact(tx, seen.contactId)
  const [row] = await tx.select().from(quotes).where(eq(quotes.id, id)).for('no key update')
  if (!row) return null
  return contact && row.contactId === contact.id ? { row, contact } : lock(tx, id)
}

/** Whether a newer version of the quote has been made. */
export async function isReplaced(tx: Db, { number, revision }: Row): Promise<boolean> {
  const [newer] = await tx
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.number, number), gt(quotes.revision, revision)))
    .limit(1)
  return newer !== undefined
}
