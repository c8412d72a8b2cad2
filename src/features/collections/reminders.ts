import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob, enqueue } from '../../server/jobs.ts'
import { pdfAttachment } from '../../server/paper/paper.ts'
import type { Scope } from '../../server/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { emailsOf } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import { addMailed, addUndelivered } from '../interactions/service.ts'
import { interactions } from '../interactions/table.ts'
import { plainMail } from '../mail/rules.ts'
import { handOver } from '../mail/service.ts'
import { inLedger } from './entries.ts'
import { accountOf } from './ledger.ts'
import { reminderWords } from './reminder-words.ts'
import { drawStatement } from './statement.ts'

/** What a reminder could say, and where it may go. Null: no such patient. */
export async function proposeReminder(scope: Scope, contactId: string) {
  const [contact] = await scope.db.select({ firstName: contacts.firstName }).from(contacts).where(eq(contacts.id, contactId))
  if (!contact) return null
  const [account, addresses] = await Promise.all([accountOf(scope.db, scope, contactId), emailsOf(scope.db, contactId)])
  await scope.recordView({ kind: 'ledger', contactIds: [contactId] })
  if (account.balanceCents <= 0) return 'nothing-owed'
  const today = dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)
  return { addresses: addresses ?? [], ...reminderWords(contact.firstName, account, today, scope.env) }
}

type Reminder = { contactId: string; email: string; subject: string; text: string; idempotencyKey: string }

/** Sends a reminder in the background: the job and the timeline's entry are written together, once for a key. */
export const remind = (scope: Scope, { contactId, email, subject, text, idempotencyKey }: Reminder) =>
  inLedger(scope, contactId, async (tx): Promise<'nothing-owed' | 'stranger' | 'key-reused' | undefined> => {
    const { balanceCents } = await accountOf(tx, scope, contactId)
    if (balanceCents <= 0) return 'nothing-owed'
    const to = (await emailsOf(tx, contactId))?.find((own) => own.toLowerCase() === email.toLowerCase())
    if (!to) return 'stranger'
    const written = await addMailed(tx, scope, {
      id: idempotencyKey,
      contactId,
      description: `Reminder e-mailed to ${to}\n\n${subject}\n\n${text}`,
      metadata: { about: 'payment', email: to },
    })
    if (written === 'key-reused') return 'key-reused'
    if (written === 'added') await enqueue(tx, mailReminder, { to, subject, text, entryId: idempotencyKey })
    return undefined
  })

/** Draws the statement and hands the reminder to Postmark. What was not taken in the end stands on the timeline. */
export const mailReminder = defineJob({
  name: 'collections.mail-reminder',
  payload: z.object({ to: z.string(), subject: z.string(), text: z.string(), entryId: z.uuid() }),
  async run(scope, { to, subject, text, entryId }, { last }) {
    // Whose it is now: a merge may have moved it.
    const [entry] = await scope.db.select({ contactId: interactions.contactId }).from(interactions).where(eq(interactions.id, entryId))
    const statement = entry && (await drawStatement(scope, entry.contactId))
    if (!statement) return
    const letter = plainMail(to, { subject, text }, [pdfAttachment(statement.name, statement.bytes)])
    const problem = await handOver(scope, letter).catch((error: unknown) => {
      if (!last) throw error
      return 'Postmark did not answer'
    })
    if (problem) await addUndelivered(scope, entryId, `The reminder could not be e-mailed to ${to}: ${problem}`)
  },
})
