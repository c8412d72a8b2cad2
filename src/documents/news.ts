import { eq } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import { publish } from '../kernel/events/events.ts'
import type { Scope } from '../kernel/scope.ts'
import { contacts } from '../crm/contacts/table.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import { suppressionWords } from '../platform/mail/rules.ts'
import { queueMail, suppressionOf } from '../platform/mail/service.ts'
import { reviewedMail } from './mails.ts'
import type { documents } from './table.ts'

type DocumentRow = typeof documents.$inferSelect

/** Every screen that shows the document, or counts its patient's, hears of it. */
export async function announce(tx: Db, { id, contactId }: Pick<DocumentRow, 'id' | 'contactId'>): Promise<void> {
  await publish(tx, 'document', id)
  await publish(tx, 'contact', contactId)
}

/** Queues the mail that the portal promises: what has become of what they sent. Where it may not go, the timeline says so. */
export async function notifyPatient(tx: Db, scope: Scope, { id, contactId, reviewState }: DocumentRow): Promise<void> {
  const [contact] = await tx.select({ email: contacts.email }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact?.email) return
  const suppression = await suppressionOf(tx, contact.email)
  if (!suppression) return queueMail(tx, reviewedMail(scope.env, contact.email, reviewState === 'accepted'))
  await addInteraction(tx, scope, {
    contactId,
    type: 'document',
    description: `The patient could not be told at ${contact.email}: ${suppressionWords[suppression]}`,
    metadata: { documentId: id },
  })
}
