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

/** Names no form: subjects and first lines appear where others may read them. */
export function formMail(env: Env, forms: readonly [Linked & Mailed, ...(Linked & Mailed)[]], to: string): Mail {
  const [form] = forms
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
  const count = forms.length
  return patientMail(env, to, form.language, {
    subject: t('subject', { count, practice }),
    paragraphs: [t('intro', { count, practice }), t(count === 1 ? 'howTo' : 'howToSeveral', { days: openDays })],
    link: forms.map((one, place) => ({
      label: count === 1 ? t('open') : t('openNumber', { number: place + 1 }),
      url: formLink(env, one, to),
    })),
  })
}
