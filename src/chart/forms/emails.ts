import type { Env } from '../../kernel/env.ts'
import { patientMail, patientUrl } from '../../platform/mail/service.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import { formatLongDay, type Language } from '../../shared/translations.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { type FormPurpose, formLinkPath, openDays } from './status-rules.ts'
import { formMailTexts } from './texts.ts'

interface Linked {
  id: string
  /** The patient's preferred language. */
  preferredLanguage: Language | null
}

/** The link names the form and is no secret: a code from the patient's email opens what is behind it. */
export const formLink = (env: Pick<Env, 'APP_URL'>, { id, preferredLanguage }: Linked, email?: string): string =>
  patientUrl(env, `${formLinkPath}/${id}`, { language: preferredLanguage, ...(email && { email }) })

interface Mailed {
  language: Language
  purpose: FormPurpose
  expiresAt: Date
  isReminder: boolean
}

/** Does not name the form: subjects and first lines appear where others may read them. */
export function formMail(env: Env, form: Linked & Mailed, to: string): Mail {
  const t = formMailTexts[form.language]
  const practice = env.PRACTICE_NAME
  if (form.purpose === 'check_in') {
    const until = formatLongDay(dayAt(form.expiresAt, env.PRACTICE_TIME_ZONE), form.language)
    return patientMail(env, to, form.language, {
      subject: t(form.isReminder ? 'checkInReminder' : 'checkInSubject', { practice }),
      paragraphs: [t('checkInIntro', { practice }), t('checkInUrgent'), t('checkInHowTo', { until })],
      link: { label: t('checkInOpen'), url: formLink(env, form, to) },
    })
  }
  return patientMail(env, to, form.language, {
    subject: t('subject', { practice }),
    paragraphs: [t('intro', { practice }), t('howTo', { days: openDays })],
    link: { label: t('open'), url: formLink(env, form, to) },
  })
}
