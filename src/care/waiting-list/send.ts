import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { languageOf, preferredLanguageOf } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { appointmentTemplates } from '../../messages/email-templates/rules.ts'
import { renderTemplate } from '../../messages/email-templates/service.ts'
import { textPatient, writeToPatient } from '../../messages/inbox/service.ts'
import { plainText } from '../../messages/inbox/text-rules.ts'
import type { NotifiedDetails } from '../appointments/email-rules.ts'
import { nameOfProvider, valuesOf, visitLine } from '../appointments/service.ts'
import type { OfferedVisit } from '../availability/service.ts'
import { withSections } from '../../platform/mail/rules.ts'
import { patientUrl } from '../../platform/mail/service.ts'
import { formatCents, formatMediumInstant } from '../../shared/translations.ts'
import { offerPath } from './rules.ts'
import { offerTexts } from './texts.ts'

interface Offered {
  contactId: string
  /** The number (E.164) that the caller has locked, of a patient who prefers texts; null: by email. */
  number: string | null
  details: NotifiedDetails
  visit: OfferedVisit
  /** What is paid with the booking, in cents; 0: a card is kept; null: nothing. */
  depositCents: number | null
  expiresAt: Date
  token: string
}

/**
 * Sends an offer from the practice's template, or the one that Refyne comes with, by text to a patient who prefers it and by email otherwise. The
 * stored copy does not contain the link. UNREACHABLE: the patient has no address, or it may not be written to.
 */
export async function sendOffer(tx: Db, scope: Scope, { contactId, number, details, visit, depositCents, expiresAt, token }: Offered) {
  const { env } = scope
  const language = await languageOf(tx, contactId)
  const standsFor = `${env.APP_URL}${offerPath}/your-link`
  const more = { ...valuesOf(env, details, await nameOfProvider(tx, details.providerId), language), appointment_link: standsFor }
  const secret = { standsFor, value: patientUrl(env, `${offerPath}/${token}`, { language: await preferredLanguageOf(tx, contactId) }) }
  const given = { contactId, documentIds: [], isCommercial: false, secret, idempotencyKey: randomUUID() }
  if (number !== null) {
    const words = await renderTemplate(tx, env, appointmentTemplates.offer, contactId, { more, language, channel: 'text', orStarter: true })
    if (words && !isCommercialCategory(words.category)) {
      const sent = await textPatient(tx, scope, { ...given, number, text: plainText(words.text), html: null, linksUntil: expiresAt })
      if (!isRefusal(sent)) return sent
    }
  }
  const [contact] = await tx.select({ email: contacts.email }).from(contacts).where(eq(contacts.id, contactId))
  const words = await renderTemplate(tx, env, appointmentTemplates.offer, contactId, { more, language, orStarter: true })
  if (!contact?.email || !words) return refuse('UNREACHABLE')
  const t = offerTexts[language]
  const { minutes, isOnline } = visit
  const { subject, category, ...written } = words
  const { text, html } = withSections(written, [
    {
      title: t('mail.about'),
      lines: [
        // What patients cannot see on the booking page is named behind the link only.
        isOnline ? visitLine(visit, minutes, language) : t('minutes', { minutes }),
        ...(depositCents === null
          ? []
          : [depositCents > 0 ? t('mail.deposit', { amount: formatCents(depositCents, language) }) : t('mail.card')]),
        t('mail.until', { at: formatMediumInstant(expiresAt, language, env.PRACTICE_TIME_ZONE).replace(/\.$/, '') }),
      ],
      link: { label: t('mail.answer'), url: standsFor },
    },
  ])
  const sent = await writeToPatient(tx, scope, {
    ...given,
    address: contact.email,
    subject,
    text,
    html,
    isCommercial: isCommercialCategory(category),
  })
  return isRefusal(sent) ? refuse('UNREACHABLE') : sent
}
