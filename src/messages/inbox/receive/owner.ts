import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import { addPastEntries } from '../../../crm/interactions/service.ts'
import { handOverAttachments } from './attachments.ts'
import { entryOf, snippetSource } from '../rules.ts'
import { conversations, messages } from '../table.ts'

type Conversation = typeof conversations.$inferSelect

/**
 * Links a conversation to the patient, with its attachments, and adds past messages to their timeline. The caller has locked both, and
 * notifies the inbox.
 */
export async function giveConversation(
  tx: Db,
  scope: Scope,
  { id, channel, contactId: before }: Conversation,
  contactId: string,
): Promise<void> {
  await tx.update(conversations).set({ contactId }).where(eq(conversations.id, id))
  const mails = await tx
    .select({
      id: messages.id,
      direction: messages.direction,
      body: sql<string>`left(${messages.body}, ${sql.raw(String(snippetSource))})`,
      subject: messages.subject,
      createdBy: messages.createdBy,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(eq(messages.conversationId, id))
  await handOverAttachments(
    tx,
    scope,
    mails.map((mail) => mail.id),
    contactId,
  )
  await addPastEntries(
    tx,
    scope,
    mails.map((mail) => ({
      id: uuidv7(),
      contactId,
      type: 'email',
      description: entryOf(mail),
      date: mail.createdAt,
      createdBy: mail.createdBy,
      metadata: { conversationId: id, messageId: mail.id, direction: mail.direction, ...(channel === 'sms' && { channel }) },
    })),
  )
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'conversation',
    contactIds: [contactId],
    before: { id, contactId: before },
    after: { contactId },
  })
  await publish(tx, 'contact', contactId)
}
