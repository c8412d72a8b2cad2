import type { Env } from '../../kernel/env.ts'
import { linkMail, type Mail } from '../../platform/mail/rules.ts'
import { bookingLimits } from './rules.ts'
import type { Booker } from './table.ts'
import { bookingMailTexts } from './texts.ts'

/** The code has its own paragraph, so that phones offer it for autofill. The email says nothing about the visit: the address may be someone else's. */
export function codeMail(env: Env, { email, language }: Booker, code: string): Mail {
  const t = bookingMailTexts[language]
  return linkMail(email, {
    subject: t('subject', { code, practice: env.PRACTICE_NAME }),
    code,
    paragraphs: [t('intro'), code, t('expires', { minutes: bookingLimits.codeMinutes })],
    closing: t('closing'),
  })
}
