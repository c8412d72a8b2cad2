import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../../kernel/jobs.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { mayReceiveCommercial } from '../../../crm/consent/service.ts'
import { suppressionReasons } from '../../../platform/mail/rules.ts'
import { suppressionOf } from '../../../platform/mail/service.ts'
import { textAsSent } from '../commercial.ts'
import { claim, end, interrupted, record } from '../once.ts'
import { fillPlaceholders, openSecrets } from '../receive/placeholders.ts'
import { conversations, messages } from '../table.ts'
import { laterStatus, reasonOf } from '../text-rules.ts'
import { stop } from './stop.ts'
import { statusAddress, textingOf } from './texting.ts'

type Message = typeof messages.$inferSelect

/** Sends a text once (see once.ts), if nothing has stopped it since it was written. A callback of Twilio settles one that is uncertain. */
export const sendText = defineJob({
  name: 'inbox.text',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 12,
  async run(scope, { id }, { last }) {
    const [message] = await scope.db.select().from(messages).where(eq(messages.id, id))
    if (message?.status === 'sending') return end(scope, id, 'uncertain', interrupted)
    if (message?.status !== 'queued') return
    if (await claim(scope, message, (tx) => problemOf(tx, scope, message))) await handOver(scope, message, last)
  },
})

async function problemOf(tx: Db, scope: Scope, message: Message): Promise<string | null> {
  await lockNumber(tx, message.toEmail)
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

/** One at a time for each number, so that a stop and a text do not pass each other. */
export const lockNumber = (tx: Db, number: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`conversations with ${number}`}, 0))`)

/** The same for several numbers, always in the same order. */
export const lockNumbers = (tx: Db, numbers: readonly string[]) =>
  tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended('conversations with ' || number, 0))
    from (select distinct unnest(${sql.param([...numbers])}::text[]) as number order by number) as numbers`)
