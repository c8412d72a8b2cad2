import { inArray, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import { addPastEntries } from '../../../crm/interactions/service.ts'
import { handOverAttachments } from './attachments.ts'
import { entryOf, snippetSource } from '../rules.ts'
import { conversations, messages } from '../table.ts'
import type { Thread } from '../threads.ts'

/**
 * Links all threads of an unknown sender to the patient, with their attachments, and adds past messages to the timeline. The caller has locked
 * the threads and the patient, and notifies the inbox.
 */
export async function giveConversation(tx: Db, scope: Scope, threads: readonly Thread[], contactId: string): Promise<void> {
  const ids = threads.map(({ id }) => id)
  await tx.update(conversations).set({ contactId }).where(inArray(conversations.id, ids))
  const channelOf = new Map(threads.map(({ id, channel }) => [id, channel]))
  const mails = await tx
    .select({
      id: messages.id,
      conversationId: messages.conversationId,
      direction: messages.direction,
      body: sql<string>`left(${messages.body}, ${sql.raw(String(snippetSource))})`,
      subject: messages.subject,
      createdBy: messages.createdBy,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(inArray(messages.conversationId, ids))
  await handOverAttachments(
    tx,
    scope,
    mails.map((mail) => mail.id),
    contactId,
  )
  await addPastEntries(
    tx,
    scope,
    mails.map(({ conversationId, ...mail }) => ({
      id: uuidv7(),
      contactId,
      type: 'email',
      description: entryOf(mail),
      date: mail.createdAt,
      createdBy: mail.createdBy,
      metadata: {
        conversationId,
        messageId: mail.id,
        direction: mail.direction,
        ...(channelOf.get(conversationId) === 'sms' && { channel: 'sms' as const }),
      },
    })),
  )
  for (const id of ids)
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'conversation',
      contactIds: [contactId],
      before: { id, contactId: null },
      after: { contactId },
    })
  await publish(tx, 'contact', contactId)
}
