import { formatCents, formatMediumInstant, type Language } from '../../shared/translations.ts'
import { appointmentTexts } from './texts.ts'

interface Notice {
  startsAt: Date
  /** Until when the patient may move it, and cancel it at no charge. */
  until: Date
  /** Of cancelling later, in cents; 0: none; null: nothing was agreed when it was booked, so it can't be cancelled online later. */
  lateFeeCents: number | null
}

/** What the time of an appointment means for moving or cancelling it, a sentence each: until when it is free, or that it no longer is, and the fee. */
export function noticeLines({ startsAt, until, lateFeeCents }: Notice, now: Date, language: Language, timeZone: string): string[] {
  const t = appointmentTexts[language]
  const at = formatMediumInstant(until, language, timeZone)
  const isOpen = now <= until
  // The abbreviation "a.m." ends the sentence.
  const end = { at: at.replace(/\.$/, '') }
  if (lateFeeCents === null) return [isOpen ? t('notice.online', end) : t('notice.onlineOver')]
  if (until >= startsAt) return [t('notice.anytime')]
  if (lateFeeCents === 0) return [isOpen ? t('notice.moveUntil', { at }) : t('notice.moveOver')]
  const fee = formatCents(lateFeeCents, language)
  return isOpen ? [t('notice.until', end), t('notice.feeLater', { fee })] : [t('notice.over'), t('notice.fee', { fee })]
}
