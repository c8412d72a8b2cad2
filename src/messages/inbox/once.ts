import { and, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { announceConversation } from './announce.ts'
import { messages } from './table.ts'

/*
 * Messages that are sent once at most: texts and commercial emails. Before one is handed over, it says so: a run that finds this was killed in
 * between, when no one knows whether the message left. It is then uncertain, and never sent again.
 */

type Message = typeof messages.$inferSelect

/** The problem of a message whose hand-over a killed server did not finish. */
export const interrupted = 'The server stopped while it was sent.'

/** Marks a queued message as being sent. `problemOf`: why it may no longer be sent, looked for in the same transaction. */
export const claim = (scope: Scope, message: Message, problemOf: (tx: Db) => Promise<string | null>): Promise<boolean> =>
  scope.db.transaction(async (tx) => {
    const problem = await problemOf(tx)
    const rows = await tx
      .update(messages)
      .set(problem === null ? { status: 'sending' } : { status: 'failed', problem: `It was not sent: ${problem}.` })
      .where(and(eq(messages.id, message.id), eq(messages.status, 'queued')))
      .returning({ id: messages.id })
    if (rows.length > 0) await announceConversation(tx, message.conversationId)
    return rows.length > 0 && problem === null
  })

/** Ends the hand-over of a claimed message, unless a report has said more. */
export const end = (scope: Scope, id: string, status: 'uncertain' | 'failed', problem: string) =>
  record(scope, id, (row) => (row.status === 'sending' ? { status, problem } : {}))

/** Changes a message after reading its row under a lock. */
export async function record(scope: Scope, id: string, change: (row: Message) => Partial<Message>): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(messages).where(eq(messages.id, id)).for('update')
    const set = row ? change(row) : {}
    if (!row || Object.keys(set).length === 0) return
    await tx.update(messages).set(set).where(eq(messages.id, id))
    await announceConversation(tx, row.conversationId)
  })
}
