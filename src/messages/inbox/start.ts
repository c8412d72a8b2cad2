import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { emailsOf } from '../../crm/contacts/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { openThread } from './receive/receive.ts'
import { type Outgoing, queueMessage, sentBefore } from './send.ts'
import { conversations } from './table.ts'

/** Begins a thread with one of a patient's addresses, in the caller's transaction. Null: the patient does not exist. */
export async function startThread(
  tx: Db,
  scope: Scope,
  { contactId, email, ...mail }: Outgoing & { contactId: string; email: string; subject: string },
) {
  const addresses = await emailsOf(tx, contactId)
  if (!addresses) return null
  if (!addresses.map(addressKey).includes(addressKey(email)))
    return invalidReference({ email: 'This address isn’t in the patient’s record' })
  const known = await sentBefore(tx, mail, { contactId, address: addressKey(email) })
  if (known) return isRefusal(known) ? known : { id: known.conversationId, messageId: known.id }
  const conversation = await openThread(tx, scope, { contactId, subject: mail.subject, address: addressKey(email), name: null })
  const sent = await queueMessage(tx, scope, conversation, mail)
  if (isRefusal(sent)) {
    // A refused message leaves nothing behind.
    await tx.delete(conversations).where(eq(conversations.id, conversation.id))
    return sent
  }
  return { id: conversation.id, messageId: sent.id }
}
