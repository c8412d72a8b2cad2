import { eq } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import { publish } from '../kernel/events/events.ts'
import type { Scope } from '../kernel/scope.ts'
import { toLanguage } from '../shared/translations.ts'
import { contacts } from '../crm/contacts/table.ts'
import { addInteraction } from '../crm/interactions/service.ts'
import { suppressionReasons } from '../platform/mail/rules.ts'
import { queueMail, suppressionOf } from '../platform/mail/service.ts'
import { reviewedMail } from './emails.ts'
import type { documents } from './table.ts'

type DocumentRow = typeof documents.$inferSelect

/** Publishes the change to all screens that show the document or its patient. */
export async function publishChange(tx: Db, { id, contactId }: Pick<DocumentRow, 'id' | 'contactId'>): Promise<void> {
  await publish(tx, 'document', id)
  await publish(tx, 'contact', contactId)
}

/** Queues the email about the result of a review. If the address is suppressed, adds a timeline entry instead. */
export async function notifyPatient(tx: Db, scope: Scope, { id, contactId, reviewState }: DocumentRow): Promise<void> {
  const [contact] = await tx
    .select({ email: contacts.email, language: contacts.preferredLanguage })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  if (!contact?.email) return
  const suppression = await suppressionOf(tx, contact.email)
  if (!suppression) {
    const result = reviewState === 'accepted' ? 'accepted' : 'rejected'
    return queueMail(tx, reviewedMail(scope.env, contact.email, toLanguage(contact.language) ?? 'en', result))
  }
  await addInteraction(tx, scope, {
    contactId,
    type: 'document',
    description: `The patient could not be notified at ${contact.email}: ${suppressionReasons[suppression]}`,
    metadata: { documentId: id },
  })
}
