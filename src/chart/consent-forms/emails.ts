import type { Env } from '../../kernel/env.ts'
import { patientMail, patientUrl, portalLink } from '../../platform/mail/service.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import type { Language } from '../../shared/translations.ts'
import { consentLinkPath } from './status-rules.ts'
import { consentTexts } from './texts.ts'

interface Linked {
  id: string
  /** The patient's preferred language. */
  preferredLanguage: Language | null
}

/** The link names the consent form and is no secret: a code from the patient's email opens what is behind it. */
export const consentLink = (env: Pick<Env, 'APP_URL'>, { id, preferredLanguage }: Linked, email?: string): string =>
  patientUrl(env, `${consentLinkPath}/${id}`, { language: preferredLanguage, ...(email && { email }) })

/** Names neither the form nor a procedure: subjects and first lines appear where others may read them. */
export function consentMail(env: Env, consent: Linked & { language: Language }, to: string): Mail {
  const { language } = consent
  const t = consentTexts[language]
  const practice = env.PRACTICE_NAME
  return patientMail(env, to, language, {
    subject: t('mail.subject', { practice }),
    paragraphs: [t('mail.intro', { practice }), t('mail.howTo')],
    link: { label: t('mail.open'), url: consentLink(env, consent, to) },
  })
}

/** Says that a sealed copy is in the portal. */
export function copyMail(env: Env, language: Language, to: string): Mail {
  const t = consentTexts[language]
  const practice = env.PRACTICE_NAME
  return patientMail(env, to, language, {
    subject: t('mail.copySubject', { practice }),
    paragraphs: [t('mail.copy', { practice })],
    link: portalLink(env, to, language),
  })
}
