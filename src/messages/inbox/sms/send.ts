import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../../kernel/jobs.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { mayReceiveCommercial } from '../../../crm/consent/service.ts'
import { suppressionReasons } from '../../../platform/mail/rules.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { announceConversation } from '../announce.ts'
import { textAsSent } from '../commercial.ts'
import { fillPlaceholders, openSecrets } from '../receive/placeholders.ts'
import { conversations, messages } from '../table.ts'
import { laterStatus, reasonOf } from '../text-rules.ts'
import { stop } from './stop.ts'
import { statusAddress, textingOf } from './texting.ts'

type Message = typeof messages.$inferSelect

/**
 * Sends a text once. Before it is handed to Twilio the message says so: a run that finds this was killed in between, when no one knows
 * whether the text left. It is then uncertain, and never sent again; a callback of Twilio settles it.
 */
export const sendText = defineJob({
  name: 'inbox.text',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 12,
  async run(scope, { id }, { last }) {
    const [message] = await scope.db.select().from(messages).where(eq(messages.id, id))
    if (message?.status === 'sending') return end(scope, id, 'uncertain', 'The server stopped while it was sent.')
    if (message?.status !== 'queued') return
    if (await claim(scope, message)) await handOver(scope, message, last)
  },
})

/** Marks the text as being sent, if nothing has stopped it since it was written. */
async function claim(scope: Scope, message: Message): Promise<boolean> {
  const set = (tx: Db, values: Partial<Message>) =>
    tx
      .update(messages)
      .set(values)
      .where(and(eq(messages.id, message.id), eq(messages.status, 'queued')))
      .returning({ id: messages.id })
  return scope.db.transaction(async (tx) => {
    await lockNumber(tx, message.toEmail)
    const problem = await problemOf(tx, scope, message)
    const rows = await set(tx, problem === null ? { status: 'sending' } : { status: 'failed', problem: `It was not sent: ${problem}.` })
    if (rows.length > 0) await announceConversation(tx, message.conversationId)
    return rows.length > 0 && problem === null
  })
}

async function problemOf(tx: Db, scope: Scope, message: Message): Promise<string | null> {
  if (!textingOf(scope.env)) return 'text messages are not set up on the server'
  const suppression = await suppressionOf(tx, message.toEmail)
  // The confirmation of a stop is the one text that may follow it.
  if (suppression && message.metadata?.isAnswerToWord !== true) return suppressionReasons[suppression]
  const recipient = { contactId: await patientOf(tx, message), channel: 'text' as const, address: message.toEmail }
  if (message.isCommercial && !(await mayReceiveCommercial(tx, scope, recipient)))
    return 'the patient no longer consents to marketing by text message'
  return null
}

async function patientOf(tx: Db, { conversationId }: Message): Promise<string | null> {
  const [row] = await tx.select({ contactId: conversations.contactId }).from(conversations).where(eq(conversations.id, conversationId))
  return row?.contactId ?? null
}

async function handOver(scope: Scope, message: Message, last: boolean): Promise<void> {
  const { client, sender } = textingOf(scope.env)!
  const { id, toEmail: to, isCommercial, sealedSecret } = message
  const secrets = sealedSecret === null ? [] : openSecrets(scope.env, sealedSecret)
  if (secrets === null) return end(scope, id, 'failed', 'It was not sent: its link can no longer be decrypted.')
  const text = fillPlaceholders(secrets, message.body)
  const body = await textAsSent(scope.db, scope, { contactId: await patientOf(scope.db, message) }, { text, isCommercial })
  const result = await client.send({ to, body, sender, statusCallback: statusAddress(scope.env, id) })
  if (result.ok) {
    const { sid: messageId, segments } = result
    return record(scope, id, (row) => ({
      status: laterStatus(row.status, 'sent'),
      messageId,
      sentAt: scope.now(),
      // A callback may have come first.
      problem: row.status === 'failed' ? row.problem : null,
      metadata: { ...row.metadata, ...(segments !== null && { segments }) },
      sealedSecret: null,
    }))
  }
  // Twilio's message may contain the number.
  scope.log.warn({ messageId: id, kind: result.kind, retried: result.retryable && !last }, 'Twilio did not accept a text message')
  if (result.isUncertain) return end(scope, id, 'uncertain', 'Twilio did not confirm that it took the text.')
  if (result.retryable && !last) {
    await record(scope, id, (row) =>
      row.status === 'sending' ? { status: 'queued', problem: 'Twilio does not answer. Refyne will try again.' } : {},
    )
    throw new Error(`text ${result.kind}`)
  }
  if (result.kind !== 'stopped') return end(scope, id, 'failed', result.message)
  // It stopped at Twilio, which has confirmed that itself.
  await end(scope, id, 'failed', message.metadata?.isAnswerToWord === true ? 'Twilio has confirmed the stop itself.' : reasonOf(21610))
  // Of a confirmation we know the stop, and START may have come since; of any other text we may not have heard of it.
  if (message.metadata?.isAnswerToWord === true) return
  await scope.db.transaction(async (tx) => {
    await lockNumber(tx, to)
    await stop(tx, scope, to)
  })
}

const end = (scope: Scope, id: string, status: 'uncertain' | 'failed', problem: string) =>
  record(scope, id, (row) => (row.status === 'sending' ? { status, problem } : {}))

/** Changes a text after reading its row under a lock. */
async function record(scope: Scope, id: string, change: (row: Message) => Partial<Message>): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(messages).where(eq(messages.id, id)).for('update')
    const set = row ? change(row) : {}
    if (!row || Object.keys(set).length === 0) return
    await tx.update(messages).set(set).where(eq(messages.id, id))
    await announceConversation(tx, row.conversationId)
  })
}

/** One at a time for each number, so that a stop and a text do not pass each other. */
export const lockNumber = (tx: Db, number: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`conversations with ${number}`}, 0))`)

/** The same for several numbers, always in the same order. */
export const lockNumbers = (tx: Db, numbers: readonly string[]) =>
  tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended('conversations with ' || number, 0))
    from (select distinct unnest(${sql.param([...numbers])}::text[]) as number order by number) as numbers`)
