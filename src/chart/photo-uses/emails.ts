import type { Env } from '../../kernel/env.ts'
import { patientClosing, patientMail, portalLink } from '../../platform/mail/service.ts'
import { linkMail, type Mail } from '../../platform/mail/rules.ts'
import { formatMediumInstant, type Language } from '../../shared/translations.ts'
import { photoMailTexts } from './texts.ts'

const sharedPath = '/shared-photos'

interface Sent {
  to: string
  recipient: string
  token: string
  expiresAt: Date
}

/** To someone outside the practice. It names no patient: emails are read by others too. */
export const sharedMail = (env: Env, { to, recipient, token, expiresAt }: Sent): Mail =>
  linkMail(to, {
    subject: `${env.PRACTICE_NAME} shares photos with you`,
    paragraphs: [
      `Hello ${recipient},`,
      `${env.PRACTICE_NAME} shares photos with you. The link works until ${formatMediumInstant(expiresAt, 'en', env.PRACTICE_TIME_ZONE)}. Please do not pass it on.`,
    ],
    link: { label: 'Open photos', url: `${env.APP_URL}${sharedPath}#${token}` },
    closing: patientClosing(env, 'en'),
  })

/** Says that photos are in the portal, and nothing about them: others may read the email. */
export function releasedMail(env: Env, to: string, language: Language): Mail {
  const t = photoMailTexts[language]
  return patientMail(env, to, language, {
    subject: t('releasedSubject', { practice: env.PRACTICE_NAME }),
    paragraphs: [t('released')],
    link: portalLink(env, to, language),
  })
}
