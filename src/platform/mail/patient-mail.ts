import type { Env } from '../../kernel/env.ts'
import type { Language } from '../../shared/translations.ts'
import { linkMail, type Mail } from './rules.ts'
import { patientMailTexts } from './texts.ts'

interface Letter {
  subject: string
  paragraphs: string[]
  link: { label: string; url: string }
}

/** An email to a patient: a greeting, paragraphs, one link, and whom to call. */
export const patientMail = (env: Env, to: string, language: Language, { subject, paragraphs, link }: Letter): Mail =>
  linkMail(to, { subject, paragraphs: [patientMailTexts[language]('hello'), ...paragraphs], link, closing: patientClosing(env, language) })

export const patientClosing = ({ PRACTICE_NAME, PRACTICE_PHONE }: Env, language: Language): string =>
  PRACTICE_PHONE === '' ? PRACTICE_NAME : `${patientMailTexts[language]('questions', { phone: PRACTICE_PHONE })} ${PRACTICE_NAME}`

/** The link to the portal, with the address filled in. */
export const portalLink = ({ APP_URL }: Env, to: string, language: Language) => ({
  label: patientMailTexts[language]('openPortal'),
  url: `${APP_URL}/portal?email=${encodeURIComponent(to)}`,
})
