import type { Env } from '../../kernel/env.ts'
import { patientClosing } from '../../platform/mail/service.ts'
import { linkMail, type Mail } from '../../platform/mail/rules.ts'
import { formatMediumInstant } from '../../shared/translations.ts'

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
    subject: `Photos from ${env.PRACTICE_NAME}`,
    paragraphs: [
      `Hello ${recipient},`,
      `${env.PRACTICE_NAME} has shared photos with you. Until ${formatMediumInstant(expiresAt, 'en', env.PRACTICE_TIME_ZONE)}, you can open them with the link below. Please do not pass it on.`,
    ],
    link: { label: 'Open photos', url: `${env.APP_URL}${sharedPath}#${token}` },
    closing: patientClosing(env, 'en'),
  })
