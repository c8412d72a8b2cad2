import type { Env } from '../../kernel/env.ts'
import type { Language } from '../../shared/translations.ts'
import { linkMail, type Mail, type MailLink } from './rules.ts'
import { patientMailTexts } from './texts.ts'

interface Letter {
  subject: string
  paragraphs: string[]
  link: MailLink | readonly MailLink[]
}

/** An email to a patient: a greeting, paragraphs, one link or several, and whom to call. */
export const patientMail = (env: Env, to: string, language: Language, { subject, paragraphs, link }: Letter): Mail =>
  linkMail(to, { subject, paragraphs: [patientMailTexts[language]('hello'), ...paragraphs], link, closing: patientClosing(env, language) })

export const patientClosing = ({ PRACTICE_NAME, PRACTICE_PHONE }: Env, language: Language): string =>
  PRACTICE_PHONE === '' ? PRACTICE_NAME : `${patientMailTexts[language]('questions', { phone: PRACTICE_PHONE })}\n${PRACTICE_NAME}`

/** The link to the portal, with the address filled in. */
export const portalLink = (env: Env, to: string, language: Language) => ({
  label: patientMailTexts[language]('openPortal'),
  url: patientUrl(env, '/portal', { language: null, email: to }),
})

interface Known {
  /** The language that the patient prefers. Without one it is left out, so that the page follows the browser. */
  language: Language | null
  email?: string
}

/** The address of a page for a patient, with what is known about the patient. */
export function patientUrl({ APP_URL }: Pick<Env, 'APP_URL'>, path: string, { language, email }: Known): string {
  const given = [...(language ? [`language=${language}`] : []), ...(email ? [`email=${encodeURIComponent(email)}`] : [])]
  return [APP_URL + path, given.join('&')].filter(Boolean).join('?')
}
