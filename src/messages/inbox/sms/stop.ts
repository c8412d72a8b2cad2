import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { suppressedAddresses } from '../../../platform/mail/table.ts'
import { announceConversation } from '../announce.ts'
import { conversations, messages } from '../table.ts'

/** Ends every text to the number, those that wait included. False: it had stopped before. */
export async function stop(tx: Db, scope: Scope, number: string): Promise<boolean> {
  if ((await suppressionOf(tx, number)) === 'stopped') return false
  const at = scope.now()
  await tx
    .insert(suppressedAddresses)
    .values({ address: number, reason: 'stopped', unsubscribedAt: at, since: at })
    .onConflictDoUpdate({ target: suppressedAddresses.address, set: { reason: 'stopped', unsubscribedAt: at, since: at } })
  const ofNumber = tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.address, number), eq(conversations.channel, 'sms')))
  const ended = await tx
    .update(messages)
    .set({ status: 'failed', problem: 'It was not sent: this number answered STOP.' })
    .where(and(inArray(messages.conversationId, ofNumber), eq(messages.direction, 'outbound'), eq(messages.status, 'queued')))
    .returning({ conversationId: messages.conversationId })
  for (const id of new Set(ended.map(({ conversationId }) => conversationId))) await announceConversation(tx, id)
  return true
}
