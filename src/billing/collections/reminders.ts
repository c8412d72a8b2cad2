import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { pdfAttachment } from '../../kernel/pdf/document.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { emailsOf } from '../../crm/contacts/service.ts'
import { renderTemplate } from '../../messages/email-templates/service.ts'
import { addMailed, addUndelivered } from '../../crm/interactions/service.ts'
import { interactions } from '../../crm/interactions/table.ts'
import { plainMail, suppressionWords } from '../../platform/mail/rules.ts'
import { handOver, suppressionOf } from '../../platform/mail/service.ts'
import { type Account, collectionMessages } from './contract.ts'
import { inLedger } from './entries.ts'
import { accountOf } from './ledger.ts'
import { balanceValues } from './reminder-texts.ts'
import { renderStatement } from './statement.ts'
import { collectionNotes } from './table.ts'

/** The template that a reminder is written from; a clinic that has deleted it gets the one it began with. */
const template = 'payment_reminder'

/** The reminder from its template, and where it may go. Null: no such patient. */
export async function proposeReminder(scope: Scope, contactId: string) {
  const addresses = await emailsOf(scope.db, contactId)
  if (!addresses) return null
  const account = await accountOf(scope.db, scope, contactId)
  await scope.recordView({ kind: 'ledger', contactIds: [contactId] })
  if (account.balanceCents <= 0) return refuse('NOTHING_OWED')
  const [letter, reasons] = await Promise.all([
    writeReminder(scope.db, scope, contactId, account),
    Promise.all(addresses.map(async (address) => ({ address, reason: await blockOf(scope.db, address) }))),
  ])
  const { subject, text, category } = letter
  return {
    addresses: reasons.flatMap(({ address, reason }) => (reason === null ? [address] : [])),
    blocked: reasons.flatMap(({ address, reason }) => (reason === null ? [] : [{ address, reason }])),
    isMarketing: isCommercialCategory(category),
    subject,
    text,
  }
}

async function writeReminder(db: Db, { env, now }: Pick<Scope, 'env' | 'now'>, contactId: string, account: Account) {
  const more = balanceValues(account, dayAt(now(), env.PRACTICE_TIME_ZONE), env)
  const letter = await renderTemplate(db, env, template, contactId, { more, orStarter: true })
  if (!letter) throw new Error('There is no template for a payment reminder')
  return letter
}

/** Why no email may go to an address. A reminder of a balance needs no consent to marketing, so an address that only unsubscribed gets it. */
async function blockOf(db: Db, address: string): Promise<string | null> {
  const suppression = await suppressionOf(db, address)
  return suppression && `No email is sent to ${address}: ${suppressionWords[suppression]}.`
}

type Reminder = { contactId: string; email: string; subject: string; text: string; idempotencyKey: string }

/** Sends a reminder in the background: the job, the timeline's entry and the account's note are written together, once for a key. */
export const remind = (scope: Scope, { contactId, email, subject, text, idempotencyKey }: Reminder) =>
  inLedger(scope, contactId, async (tx) => {
    const account = await accountOf(tx, scope, contactId)
    const { balanceCents } = account
    if (balanceCents <= 0) return refuse('NOTHING_OWED')
    const own = (await emailsOf(tx, contactId)) ?? []
    if (own.length === 0) return refuse('NO_EMAIL')
    const to = own.find((address) => address.toLowerCase() === email.toLowerCase())
    if (!to) return invalidReference({ email: collectionMessages.unknownAddress })
    const blocked = await blockOf(tx, to)
    if (blocked) return refuse('ADDRESS_BLOCKED', { fields: { email: blocked } })
    const letter = await writeReminder(tx, scope, contactId, account)
    if (isCommercialCategory(letter.category)) return refuse('MARKETING_TEMPLATE')
    const written = await addMailed(tx, scope, {
      id: idempotencyKey,
      contactId,
      description: `Reminder emailed to ${to}\n\n${subject}\n\n${text}`,
      metadata: { about: 'payment', email: to },
    })
    if (written === 'key-reused') return refuse('KEY_REUSED')
    if (written === 'again') return undefined
    const note = { contactId, kind: 'reminder', amountCents: balanceCents, note: `Emailed to ${to}` } as const
    await tx.insert(collectionNotes).values({ ...note, createdAt: scope.now(), createdBy: staff(scope).id })
    await recordChange(tx, scope, { action: 'created', kind: 'collection note', contactIds: [contactId], after: note })
    // The template's own design, as long as its words were sent as they are.
    const html = text.trim() === letter.text.trim() ? letter.html : undefined
    await enqueue(tx, mailReminder, { to, subject, text, html, entryId: idempotencyKey })
    return undefined
  })

/** Renders the statement and hands the reminder to Postmark. The timeline says when Postmark refuses it. */
export const mailReminder = defineJob({
  name: 'collections.mail-reminder',
  payload: z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string().optional(), entryId: z.uuid() }),
  async run(scope, { to, subject, text, html, entryId }, { last }) {
    // Whose it is now: a merge may have moved it.
    const [entry] = await scope.db.select({ contactId: interactions.contactId }).from(interactions).where(eq(interactions.id, entryId))
    const statement = entry && (await renderStatement(scope, entry.contactId))
    if (!statement) return
    const letter = plainMail(to, { subject, text }, [pdfAttachment(statement.name, statement.bytes)])
    const problem = await handOver(scope, html === undefined ? letter : { ...letter, html }).catch((error: unknown) => {
      if (!last) throw error
      return 'Postmark did not answer'
    })
    if (problem) await addUndelivered(scope, entryId, `The reminder could not be emailed to ${to}: ${problem}`)
  },
})
