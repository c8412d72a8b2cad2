import type { Env } from '../kernel/env.ts'
import { portalLink } from '../platform/mail/service.ts'
import { linkMail, type Mail } from '../platform/mail/rules.ts'
import type { Language } from '../shared/translations.ts'
import { consentLink } from '../chart/consent-forms/emails.ts'
import { consentTexts } from '../chart/consent-forms/texts.ts'
import { formLink } from '../chart/forms/emails.ts'
import { formMailTexts } from '../chart/forms/texts.ts'
import type { CodeTarget } from './contract.ts'
import { codeSeconds } from './rules.ts'
import { portalEmailTexts } from './texts.ts'

/**
 * The code has its own paragraph, so that phones offer it for autofill. The email contains nothing about the patient, not even the name.
 */
export function codeMail(env: Env, { email, code, preferredLanguage, opens }: Code): Mail {
  const language = preferredLanguage ?? 'en'
  const t = portalEmailTexts[language]
  const target = opens && { ...opens, preferredLanguage }
  const [intro, link] =
    target?.kind === 'form'
      ? [t('formCode'), { label: formMailTexts[language]('open'), url: formLink(env, target, email) }]
      : target
        ? [t('consentCode'), { label: consentTexts[language]('mail.open'), url: consentLink(env, target, email) }]
        : [t('codeIntro'), portalLink(env, email, language)]
  return linkMail(email, {
    subject: t('codeSubject', { code, practice: env.PRACTICE_NAME }),
    code,
    paragraphs: [intro, code, t('codeExpires', { minutes: codeSeconds / 60 })],
    link,
    closing: t('codeClosing'),
  })
}

interface Code {
  email: string
  code: string
  /** Of the patient. */
  preferredLanguage: Language | null
  opens: CodeTarget | null
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
