import type { Env } from '../kernel/env.ts'
import { portalLink } from '../platform/mail/service.ts'
import { linkMail, type Mail } from '../platform/mail/rules.ts'
import type { Language } from '../shared/translations.ts'
import { codeSeconds } from './rules.ts'
import { portalEmailTexts } from './texts.ts'

/**
 * The code has its own paragraph, so that phones offer it for autofill. The email contains nothing about the patient, not even the name.
 */
export function codeMail(env: Env, email: string, code: string, language: Language): Mail {
  const t = portalEmailTexts[language]
  return linkMail(email, {
    subject: t('codeSubject', { code, practice: env.PRACTICE_NAME }),
    paragraphs: [t('codeIntro'), code, t('codeExpires', { minutes: codeSeconds / 60 })],
    link: portalLink(env, email, language),
    closing: t('codeClosing'),
  })
}

/** In the language of the patients who share the address; English if they differ. */
export function sharedAddressMail(env: Env, email: string, language: Language): Mail {
  const t = portalEmailTexts[language]
  return linkMail(email, {
    subject: t('sharedSubject', { practice: env.PRACTICE_NAME }),
    paragraphs: [t('sharedIntro'), t('shared')],
    link: portalLink(env, email, language),
    closing: t('sharedClosing'),
  })
}
