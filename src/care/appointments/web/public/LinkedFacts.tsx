import { Ban, Check } from 'lucide-react'
import { usePractice } from '../../../../ui/client/session.ts'
import { formatCents, formatClockTime, formatFullDay, inLanguage } from '../../../../shared/translations.ts'
import { useLanguage } from '../../../../ui/patient/language.ts'
import type { Linked } from './link-calls.ts'
import { appointmentTexts } from '../../texts.ts'

interface LinkedFactsProps {
  linked: Linked
  /** That it is confirmed, or was moved. */
  note: string | null
  /** Not while the patient moves or cancels it. */
  showsDeposit: boolean
}

/** Time (in the practice's time zone), provider and place of an appointment. */
export function LinkedFacts({ linked: { state, startsAt, provider, place, visit, terms }, note, showsDeposit }: LinkedFactsProps) {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = appointmentTexts[language]
  const isOff = state === 'cancelled'
  return (
    <div className="flex flex-col gap-1">
      <p className={`text-2xl leading-snug font-semibold ${isOff ? 'text-fg-3 line-through' : ''}`}>
        <time dateTime={startsAt}>
          <span className="block first-letter:uppercase">{formatFullDay(startsAt, language, timeZone)}</span>
          <span className="block tabular-nums">{formatClockTime(startsAt, language, timeZone)}</span>
        </time>
      </p>
      {!isOff && (
        <p className="pt-1 text-fg-2">
          {visit && (
            <span className="block wrap-anywhere">
              {inLanguage(language, visit.name, visit.nameFr)}, {t('mail.minutes', { minutes: visit.minutes })}
            </span>
          )}
          {provider && <span className="block">{t('withProvider', { provider })}</span>}
          <span className="block wrap-anywhere">{place}</span>
        </p>
      )}
      {note !== null && (
        <p className="flex items-start gap-2.5 pt-3 font-semibold text-success-fg">
          <Check aria-hidden="true" className="mt-1 size-5 flex-none" /> {note}
        </p>
      )}
      {!isOff && showsDeposit && terms !== null && terms.depositCents > 0 && (
        <p className="pt-3">{t('depositPaid', { amount: formatCents(terms.depositCents, language) })}</p>
      )}
      {isOff && (
        <p className="flex items-start gap-2.5 pt-3 font-semibold">
          <Ban aria-hidden="true" className="mt-1 size-5 flex-none" /> {t('isCancelled')}
        </p>
      )}
    </div>
  )
}
