import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { formatFullDay, toLanguage } from '../../shared/translations.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { patientMail, portalLink, queueMail } from '../../platform/mail/service.ts'
import { appointments } from '../../care/appointments/table.ts'
import { payPath } from '../cards/service.ts'
import { linesAboutFee } from './balance.ts'
import { feeTexts } from './texts.ts'

/** Days for which the link in the email works. */
const linkDays = 30

/**
 * Emails the patient what became of the fee of a visit and of the deposit: it was `charged` or `waived`, or its card was `refused` or missing, with a link to
 * pay. @returns false if the patient has no address.
 */
export async function sendFeeNotice(
  tx: Db,
  scope: Scope,
  appointmentId: string,
  outcome: 'charged' | 'waived' | 'refused' | 'noCard',
): Promise<boolean> {
  const { env } = scope
  const [found] = await tx
    .select({ row: appointments, email: contacts.email, preferredLanguage: contacts.preferredLanguage })
    .from(appointments)
    .innerJoin(contacts, eq(contacts.id, appointments.contactId))
    .where(eq(appointments.id, appointmentId))
  if (!found?.email) return false
  const { row, email } = found
  const language = toLanguage(found.preferredLanguage) ?? 'en'
  const t = feeTexts[language]
  const practice = env.PRACTICE_NAME
  const about = t('about', { day: formatFullDay(row.startsAt, language, env.PRACTICE_TIME_ZONE) })
  const paragraphs = [about, ...(await linesAboutFee(tx, row, language))]
  if (outcome === 'charged' || outcome === 'waived') {
    const subject = t(outcome === 'charged' ? 'chargedSubject' : 'waivedSubject', { practice })
    await queueMail(tx, patientMail(env, email, language, { subject, paragraphs, link: portalLink(env, email, language) }))
    return true
  }
  const mail = patientMail(env, email, language, {
    subject: t(outcome === 'noCard' ? 'dueSubject' : 'refusedSubject', { practice }),
    paragraphs: [...paragraphs, t(outcome)],
    link: { label: t('pay'), url: env.APP_URL + payPath(scope, { kind: 'balance', id: row.contactId }, linkDays * 86_400_000) },
  })
  await queueMail(tx, mail)
  return true
}
