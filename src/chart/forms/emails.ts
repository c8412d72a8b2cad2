import type { Env } from '../../kernel/env.ts'
import { patientMail, patientUrl } from '../../platform/mail/service.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import type { Language } from '../../shared/translations.ts'
import { formLinkPath, openDays } from './status-rules.ts'
import { formMailTexts } from './texts.ts'

interface Linked {
  id: string
  /** The patient's preferred language. */
  preferredLanguage: Language | null
}

/** The link names the form and is no secret: a code from the patient's email opens what is behind it. */
export const formLink = (env: Pick<Env, 'APP_URL'>, { id, preferredLanguage }: Linked, email?: string): string =>
  patientUrl(env, `${formLinkPath}/${id}`, { language: preferredLanguage, ...(email && { email }) })

/** Does not name the form: subjects and first lines appear where others may read them. */
export function formMail(env: Env, form: Linked & { language: Language }, to: string): Mail {
  const t = formMailTexts[form.language]
  const practice = env.PRACTICE_NAME
  return patientMail(env, to, form.language, {
    subject: t('subject', { practice }),
    paragraphs: [t('intro', { practice }), t('howTo', { days: openDays })],
    link: { label: t('open'), url: formLink(env, form, to) },
  })
}
