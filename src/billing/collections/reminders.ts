import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { pdfAttachment } from '../../kernel/pdf/document.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { formatCents } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { emailsOf, languageOf } from '../../crm/contacts/service.ts'
import { renderTemplate } from '../../messages/email-templates/service.ts'
import { addSentEmail, addDeliveryFailure } from '../../crm/interactions/service.ts'
import { interactions } from '../../crm/interactions/table.ts'
import { buttonTo, escapeHtml, plainMail, suppressionReasons } from '../../platform/mail/rules.ts'
import { handOver, suppressionOf } from '../../platform/mail/service.ts'
import { isPayable, payPath, takesCards, unbookedCents } from '../cards/service.ts'
import { type Account, collectionMessages } from './account-contract.ts'
import { withLedger } from './entries.ts'
import { accountOf } from './ledger.ts'
import { balanceValues, payLink } from './reminder-texts.ts'
import { renderStatement } from './statement.ts'
import { balanceTexts } from './texts.ts'
import { collectionNotes } from './table.ts'

/** The reminder template; the built-in one if the clinic has deleted its own. */
const template = 'payment_reminder'

/** Days for which the link to pay works. */
const linkDays = 30

/** The reminder from its template, and the addresses it may be sent to. Null: patient not found. */
export async function proposeReminder(scope: Scope, contactId: string) {
  const addresses = await emailsOf(scope.db, contactId)
  if (!addresses) return null
  const account = await accountOf(scope.db, scope, contactId)
  await scope.recordView({ kind: 'ledger', contactIds: [contactId] })
  if (account.balanceCents <= 0) return refuse('NOTHING_OWED')
  const [message, reasons] = await Promise.all([
    writeReminder(scope.db, scope, contactId, account),
    Promise.all(addresses.map(async (address) => ({ address, reason: await blockOf(scope.db, address) }))),
  ])
  const { subject, text, category } = message
  return {
    addresses: reasons.flatMap(({ address, reason }) => (reason === null ? [address] : [])),
    blocked: reasons.flatMap(({ address, reason }) => (reason === null ? [] : [{ address, reason }])),
    isMarketing: isCommercialCategory(category),
    subject,
    text,
  }
}

async function writeReminder(db: Db, { env, now }: Pick<Scope, 'env' | 'now'>, contactId: string, account: Account) {
  const language = await languageOf(db, contactId)
  const payableCents = account.balanceCents - (await unbookedCents(db, contactId))
  const payUrl = isPayable(env, payableCents) ? payUrlOf({ env, now }, contactId) : null
  const more = balanceValues(account, { today: dayAt(now(), env.PRACTICE_TIME_ZONE), practice: env, payUrl, language })
  const message = await renderTemplate(db, env, template, contactId, { more, language, orStarter: true })
  if (!message) throw new Error('There is no template for a payment reminder')
  if (payUrl === null) return message
  const link = payLink(payUrl, language)
  const html = message.html.replaceAll(escapeHtml(link.text), () => link.html)
  const label = balanceTexts[language]('payNow', { amount: formatCents(payableCents, language) })
  return { ...message, html: `${html}\n${buttonTo({ label, url: payUrl })}` }
}

const dayMs = 86_400_000

/** The link to pay, the same all day: a reminder that is sent unedited has the text that was proposed. */
const payUrlOf = ({ env, now }: Pick<Scope, 'env' | 'now'>, contactId: string): string =>
  env.APP_URL + payPath({ env, now }, { kind: 'balance', id: contactId }, linkDays * dayMs - (now().getTime() % dayMs))

/** Why an address can't receive email. A reminder needs no marketing consent, so unsubscribed addresses still get it. */
async function blockOf(db: Db, address: string): Promise<string | null> {
  const suppression = await suppressionOf(db, address)
  return suppression && `No email is sent to ${address}: ${suppressionReasons[suppression]}.`
}

/**
 * The link by which a patient pays what is outstanding, with a text message to send it. NOTHING_OWED: there is nothing to pay by card, or it
 * was paid a moment ago. Null: patient not found.
 */
export async function payLinkOf(scope: Scope, contactId: string) {
  const { db, env, now } = scope
  if (!(await emailsOf(db, contactId))) return null
  if (!takesCards(env)) return refuse('NO_CARDS')
  await scope.recordView({ kind: 'ledger', contactIds: [contactId] })
  const { balanceCents } = await accountOf(db, scope, contactId)
  if (!isPayable(env, balanceCents - (await unbookedCents(db, contactId)))) return refuse('NOTHING_OWED')
  const url = payUrlOf(scope, contactId)
  const text = balanceTexts[await languageOf(db, contactId)]('payByText', { practice: env.PRACTICE_NAME, url })
  return { url, text, expiresOn: dayAt(new Date(now().getTime() + (linkDays - 1) * dayMs), env.PRACTICE_TIME_ZONE) }
}

type Reminder = { contactId: string; email: string; subject: string; text: string; idempotencyKey: string }

/** Queues a reminder: the job, the timeline entry and the account note are written in one transaction, once per key. */
export const remind = (scope: Scope, { contactId, email, subject, text, idempotencyKey }: Reminder) =>
  withLedger(scope, contactId, async (tx) => {
    const account = await accountOf(tx, scope, contactId)
    const { balanceCents } = account
    if (balanceCents <= 0) return refuse('NOTHING_OWED')
    const own = (await emailsOf(tx, contactId)) ?? []
    if (own.length === 0) return refuse('NO_EMAIL')
    const to = own.find((address) => address.toLowerCase() === email.toLowerCase())
    if (!to) return invalidReference({ email: collectionMessages.unknownAddress })
    const blocked = await blockOf(tx, to)
    if (blocked) return refuse('ADDRESS_BLOCKED', { fields: { email: blocked } })
    const message = await writeReminder(tx, scope, contactId, account)
    if (isCommercialCategory(message.category)) return refuse('MARKETING_TEMPLATE')
    const written = await addSentEmail(tx, scope, {
      id: idempotencyKey,
      contactId,
      description: `Reminder emailed to ${to}\n\n${subject}\n\n${text}`,
      metadata: { about: 'payment', email: to },
    })
    if (written === 'key-reused') return refuse('KEY_REUSED')
    if (written === 'exists') return undefined
    const note = { contactId, kind: 'reminder', amountCents: balanceCents, note: `Emailed to ${to}` } as const
    await tx.insert(collectionNotes).values({ ...note, createdAt: scope.now(), createdBy: staff(scope).id })
    await recordChange(tx, scope, { action: 'created', kind: 'collection note', contactIds: [contactId], after: note })
    // The template's design is used only if its text was sent unedited.
    const html = text.trim() === message.text.trim() ? message.html : undefined
    await enqueue(tx, mailReminder, { to, subject, text, html, entryId: idempotencyKey })
    return undefined
  })

/** Renders the statement and sends the reminder through Postmark. If Postmark refuses it, a timeline entry says so. */
export const mailReminder = defineJob({
  name: 'collections.mail-reminder',
  payload: z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string().optional(), entryId: z.uuid() }),
  async run(scope, { to, subject, text, html, entryId }, attempt) {
    // The entry's current patient: a merge may have moved it.
    const [entry] = await scope.db.select({ contactId: interactions.contactId }).from(interactions).where(eq(interactions.id, entryId))
    const statement = entry && (await renderStatement(scope, entry.contactId))
    if (!statement) return
    const message = plainMail(to, { subject, text }, [pdfAttachment(statement.name, statement.bytes)])
    const problem = await handOver(scope, html === undefined ? message : { ...message, html }, attempt)
    if (problem) await addDeliveryFailure(scope, entryId, `The reminder could not be emailed to ${to}: ${problem}`)
  },
})
