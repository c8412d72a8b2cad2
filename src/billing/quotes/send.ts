import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import { pdfAttachment } from '../../kernel/pdf/document.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { formatLongDay, type Language } from '../../shared/translations.ts'
import { emailsOf, languageOf } from '../../crm/contacts/service.ts'
import { addSentEmail, addDeliveryFailure } from '../../crm/interactions/service.ts'
import { interactions } from '../../crm/interactions/table.ts'
import { handOver, patientMail, portalLink } from '../../platform/mail/service.ts'
import { quoteMessages } from './quote-contract.ts'
import { moveToQuoteSent, announce, write } from './quote-events.ts'
import { lock, isReplaced, type Row } from './lock.ts'
import { renderQuote } from './pdf.ts'
import { patientQuoteName } from './patient-rules.ts'
import { getQuote } from './read.ts'
import { quoteName } from './rules.ts'
import { quotes } from './table.ts'
import { quoteTexts } from './texts.ts'

interface Sending {
  id: string
  version: number
  /** Null: delivered in person. */
  email: string | null
  idempotencyKey: string
}

/** Sends or resends a quote, once per key. After the first time it can't be edited. Null: quote not found. */
export const sendQuote = (scope: Scope, { id, version, email, idempotencyKey }: Sending) =>
  transact(scope.db, async (tx) => {
    const locked = await lock(tx, id)
    if (!locked) return null
    const { row: before } = locked
    if (await isSentAlready(tx, before, email, idempotencyKey)) return getQuote(tx, scope, id)
    if (before.status === 'superseded' || (await isReplaced(tx, before))) return refuse('SUPERSEDED')
    if (before.status !== 'draft' && before.status !== 'sent') return refuse('NOT_OPEN')
    if (before.version !== version) return refuse('CONFLICT', { current: (await getQuote(tx, scope, id))! })
    const isFirst = before.status === 'draft'
    if (before.validUntil < dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))
      return isFirst ? invalidReference({ validUntil: quoteMessages.pastDraft }) : refuse('EXPIRED')

    if (email === null) {
      const row = await write(tx, scope, before, { status: 'sent', sentAt: scope.now(), sentBy: staff(scope).id, sentTo: null })
      if (isFirst) await moveToQuoteSent(tx, scope, locked)
      await announce(tx, scope, row, `${quoteName(row)} given to patient`)
      return (await getQuote(tx, scope, id))!
    }
    const to = (await emailsOf(tx, before.contactId))?.find((own) => own.toLowerCase() === email.toLowerCase())
    if (!to) return invalidReference({ email: quoteMessages.unknownAddress })
    const written = await addSentEmail(tx, scope, {
      id: idempotencyKey,
      contactId: before.contactId,
      description: `${quoteName(before)} emailed to ${to}`,
      metadata: { about: 'payment', quoteId: id, email: to },
    })
    if (written !== 'added') return refuse('KEY_REUSED')
    await enqueue(tx, mailQuote, { id, to, entryId: idempotencyKey })
    const row = await write(tx, scope, before, { status: 'sent', sentAt: scope.now(), sentBy: staff(scope).id, sentTo: to })
    if (isFirst) await moveToQuoteSent(tx, scope, locked)
    await announce(tx, scope, row, null)
    return (await getQuote(tx, scope, id))!
  })

/** Whether the request was already handled: the key was used, or the quote is already marked as delivered. */
async function isSentAlready(tx: Db, { id, status, sentTo }: Row, email: string | null, key: string): Promise<boolean> {
  if (email === null) return status === 'sent' && sentTo === null
  const [entry] = await tx
    .select({ metadata: interactions.metadata })
    .from(interactions)
    .where(and(eq(interactions.id, key), eq(interactions.type, 'email')))
  return entry?.metadata?.quoteId === id
}

/** Renders a quote and sends it through Postmark. A final failure, or a quote that is no longer open, is added to the timeline. */
export const mailQuote = defineJob({
  name: 'quotes.mail-quote',
  payload: z.object({ id: z.uuid(), to: z.string(), entryId: z.uuid() }),
  async run(scope, { id, to, entryId }, attempt) {
    const [row] = await scope.db.select().from(quotes).where(eq(quotes.id, id))
    if (!row) return
    if (row.status !== 'sent' && row.status !== 'accepted') {
      return addDeliveryFailure(scope, entryId, `${quoteName(row)} was not emailed to ${to}: it is ${row.status} by now`)
    }
    const language = await languageOf(scope.db, row.contactId)
    const pdf = await renderQuote(scope, row, language)
    const mail = { ...composeEmail(scope.env, row, to, language), attachments: [pdfAttachment(pdf.name, pdf.bytes)] }
    const problem = await handOver(scope, mail, attempt)
    if (problem) await addDeliveryFailure(scope, entryId, `${quoteName(row)} could not be emailed to ${to}: ${problem}`)
  },
})

/** Doesn't name what is quoted: subjects and first lines appear where others may read them. */
function composeEmail(env: Env, row: Row, to: string, language: Language) {
  const t = quoteTexts[language]
  const name = patientQuoteName(row, language)
  return patientMail(env, to, language, {
    subject: t('mail.subject', { name, practice: env.PRACTICE_NAME }),
    paragraphs: [t('mail.attached', { name, day: formatLongDay(row.validUntil, language) }), t('mail.portal')],
    link: portalLink(env, to, language),
  })
}
