import type { Env } from '../../kernel/env.ts'
import { patientMail } from '../../platform/mail/service.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import type { Language } from '../../shared/translations.ts'
import { formLinkPath, openDays } from './status-rules.ts'
import { formMailTexts } from './texts.ts'

interface Linked {
  id: string
  language: Language
}

/** The link names the form and is no secret: a code from the patient's email opens what is behind it. */
export const formLink = ({ APP_URL }: Pick<Env, 'APP_URL'>, { id, language }: Linked): string =>
  `${APP_URL}${formLinkPath}/${id}?language=${language}`

/** Does not name the form: subjects and first lines appear where others may read them. */
export function formMail(env: Env, form: Linked, to: string): Mail {
  const t = formMailTexts[form.language]
  const practice = env.PRACTICE_NAME
  return patientMail(env, to, form.language, {
    subject: t('subject', { practice }),
    paragraphs: [t('intro', { practice }), t('howTo', { days: openDays })],
    link: { label: t('open'), url: `${formLink(env, form)}&email=${encodeURIComponent(to)}` },
  })
}
