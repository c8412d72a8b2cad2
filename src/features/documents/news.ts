import { eq } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import { publish } from '../../server/events.ts'
import type { Scope } from '../../server/scope.ts'
import { contacts } from '../contacts/table.ts'
import { queueMail } from '../mail/service.ts'
import { reviewedMail } from './mails.ts'
import type { documents } from './table.ts'

type DocumentRow = typeof documents.$inferSelect

/** Every screen that shows the document, or counts its patient's, hears of it. */
export async function announce(tx: Db, { id, contactId }: Pick<DocumentRow, 'id' | 'contactId'>): Promise<void> {
  await publish(tx, 'document', id)
  await publish(tx, 'contact', contactId)
}

/** Queues the mail that the portal promises: what has become of what they sent. */
export async function tellPatient(tx: Db, { env }: Scope, { contactId, reviewState }: DocumentRow): Promise<void> {
  const [contact] = await tx.select({ email: contacts.email }).from(contacts).where(eq(contacts.id, contactId))
  if (contact?.email) await queueMail(tx, reviewedMail(env, contact.email, reviewState === 'accepted'))
}
