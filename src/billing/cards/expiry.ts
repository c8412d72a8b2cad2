import { and, eq, isNull, lte, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { patientMail, portalLink, queueMail } from '../../platform/mail/service.ts'
import { type Language, toLanguage } from '../../shared/translations.ts'
import { cardAccountOf } from './account.ts'
import { expiresAt, expiryNoticeDays, shownExpiry } from './rules.ts'
import { savedCards } from './table.ts'
import { cardTexts } from './texts.ts'

type SavedCard = typeof savedCards.$inferSelect

/** Emails patients whose saved card expires within a month, once for each card, unless they have saved a later one since. */
export const warnOfExpiry = defineJob({
  name: 'cards.warn-of-expiry',
  payload: z.object({}),
  cron: '20 14 * * *',
  after: 'people',
  async run(scope) {
    const account = cardAccountOf(scope)
    if (!account) return
    const later = alias(savedCards, 'later')
    const limit = new Date(scope.now().getTime() + expiryNoticeDays * 86_400_000)
    /** The first day on which it no longer works, as `expiresAt`. */
    const expiry = sql`make_date(${savedCards.expiryYear}, ${savedCards.expiryMonth}, 1) + interval '1 month'`
    const isReplaced = scope.db
      .select({ id: later.id })
      .from(later)
      .where(and(eq(later.contactId, savedCards.contactId), isNull(later.removedAt), sql`${later.consentedAt} > ${savedCards.consentedAt}`))
    const rows = await scope.db
      .select()
      .from(savedCards)
      .where(and(isNull(savedCards.removedAt), isNull(savedCards.warnedAt), lte(expiry, limit.toISOString()), notExists(isReplaced)))
    for (const row of rows) {
      const found = await account.client.findCard(row.methodId)
      // An unavailable Stripe is asked again tomorrow.
      if (!found.ok && found.kind !== 'refused') continue
      const card = found.ok ? found.value.card : undefined
      // Banks replace cards by themselves: then Stripe has the new date.
      if (card && expiresAt(card) > limit) await scope.db.update(savedCards).set(card).where(eq(savedCards.id, row.id))
      else await warn(scope, row)
    }
  },
})

/** Does nothing when it was done in the meantime. Without an address, staff read on the timeline that they have to ask. */
async function warn(scope: Scope, { id, contactId, last4, ...card }: SavedCard): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const isOpen = and(eq(savedCards.id, id), isNull(savedCards.warnedAt))
    const [fresh] = await tx.update(savedCards).set({ warnedAt: scope.now() }).where(isOpen).returning()
    const { email, preferredLanguage } = contacts
    const [contact] = await tx.select({ email, preferredLanguage }).from(contacts).where(eq(contacts.id, contactId))
    if (!fresh || !contact) return
    const language: Language = toLanguage(contact.preferredLanguage) ?? 'en'
    const t = cardTexts[language]
    if (contact.email) {
      const mail = patientMail(scope.env, contact.email, language, {
        subject: t('expirySubject', { practice: scope.env.PRACTICE_NAME }),
        paragraphs: [t('expires', { last4, expiry: shownExpiry(card) }), t('expiryHowTo')],
        link: portalLink(scope.env, contact.email, language),
      })
      await queueMail(tx, mail)
    }
    const next = contact.email ? 'The patient was asked by email for another one' : 'The patient has no email address: ask for another one'
    await addInteraction(tx, scope, {
      contactId,
      type: 'contact_updated',
      description: `The saved card ending in ${last4} expires. ${next}.`,
    })
  })
}
