import type { Env } from '../../kernel/env.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import { patientMail, portalLink } from '../../platform/mail/service.ts'
import type { Language } from '../../shared/translations.ts'
import { photoMailTexts } from './texts.ts'

/** Says that photos are in the portal, and nothing about them: others may read the email. */
export function releasedMail(env: Env, to: string, language: Language): Mail {
  const t = photoMailTexts[language]
  return patientMail(env, to, language, {
    subject: t('releasedSubject', { practice: env.PRACTICE_NAME }),
    paragraphs: [t('released')],
    link: portalLink(env, to, language),
  })
}
