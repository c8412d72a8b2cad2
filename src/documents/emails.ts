import type { Env } from '../kernel/env.ts'
import { patientMail, portalLink } from '../platform/mail/service.ts'
import type { Mail } from '../platform/mail/rules.ts'
import type { Language } from '../shared/translations.ts'
import { documentMailTexts } from './texts.ts'

/** The email that the portal promises after a review. It does not name the document, because others may read the email. */
export function reviewedMail(env: Env, email: string, language: Language, result: 'accepted' | 'rejected'): Mail {
  const t = documentMailTexts[language]
  return patientMail(env, email, language, {
    subject: t(`${result}Subject`, { practice: env.PRACTICE_NAME }),
    paragraphs: [t(result)],
    link: portalLink(env, email, language),
  })
}
