import type { BadgeTone } from '../../../ui/display/Badge.tsx'
import { type Clock, formatDate, formatDateTime } from '../../../ui/format.ts'
import { unbroken } from '../../../ui/unbroken.ts'
import type { ConditionTest, QuestionType } from '../definition-rules.ts'
import { shownFormStatus, type ShownFormStatus } from '../status-rules.ts'
import type { SentFormData } from './form-data.ts'

export const statusLabels: Record<ShownFormStatus, string> = {
  sent: 'Sent',
  started: 'Started',
  submitted: 'Submitted',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
}
export const statusTones: Record<ShownFormStatus, BadgeTone> = {
  sent: 'info',
  started: 'accent',
  submitted: 'success',
  withdrawn: 'neutral',
  expired: 'warning',
}

export const typeLabels: Record<QuestionType, string> = {
  text: 'Short text',
  long_text: 'Long text',
  number: 'Number',
  date: 'Date',
  yes_no: 'Yes or no',
  choice: 'One answer',
  choices: 'Several answers',
  scale: 'Scale from 0 to 10',
  body: 'Body diagram',
  signature: 'Signature',
  file: 'File',
  photo: 'Photo',
}

export const testLabels: Record<ConditionTest, string> = {
  answered: 'is answered',
  equals: 'is',
  includes: 'includes',
  atLeast: 'is at least',
  atMost: 'is at most',
}

/** 'Emailed to ana@mail.example on Nov 27, 2026 · 40%' */
export function formatSentLine(form: SentFormData, { timeZone, now }: Clock): string {
  const how = form.sentTo === null ? 'Link created' : `Emailed to ${form.sentTo}`
  const on = (at: string | Date) => unbroken(formatDate(at, timeZone))
  const parts = [`${how} on ${on(form.sentAt)}`]
  const status = shownFormStatus(form, now)
  if (status === 'started') parts.push(`${form.progress}%`)
  if (form.submittedAt !== null) parts.push(`submitted ${on(form.submittedAt)}`)
  if (form.withdrawnAt !== null) parts.push(`withdrawn ${on(form.withdrawnAt)}`)
  return parts.join(' · ')
}

/** 'Submitted by the patient Fri, Nov 27, 1:04 p.m.', with the language if it is not that of the staff. */
export function formatSubmitted({ submittedAt, language }: Pick<SentFormData, 'submittedAt' | 'language'>, clock: Clock): string {
  const at = submittedAt === null ? '' : ` ${formatDateTime(submittedAt, clock)}`
  return `Submitted by the patient${at}${language === 'fr' ? ', in French' : ''}`
}
