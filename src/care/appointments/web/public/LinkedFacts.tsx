import { Ban, Check } from 'lucide-react'
import { usePractice } from '../../../../ui/client/session.ts'
import { formatClockTime, formatFullDay } from '../../../../shared/translations.ts'
import { useLanguage } from '../../../../ui/patient/language.ts'
import type { Linked } from './link-calls.ts'
import { appointmentTexts } from '../../texts.ts'

interface LinkedFactsProps {
  linked: Linked
  /** Whether it says that it is confirmed: not while the patient moves or cancels it. */
  saysConfirmed: boolean
}

/** Time (in the practice's time zone), provider and place of an appointment. */
export function LinkedFacts({ linked: { state, startsAt, provider, place }, saysConfirmed }: LinkedFactsProps) {
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
          {provider && <span className="block">{t('withProvider', { provider })}</span>}
          <span className="block wrap-anywhere">{place}</span>
        </p>
      )}
      {state === 'confirmed' && saysConfirmed && (
        <p className="flex items-start gap-2.5 pt-3 font-semibold text-success-fg">
          <Check aria-hidden="true" className="mt-1 size-5 flex-none" /> {t('isConfirmed')}
        </p>
      )}
      {isOff && (
        <p className="flex items-start gap-2.5 pt-3 font-semibold">
          <Ban aria-hidden="true" className="mt-1 size-5 flex-none" /> {t('isCancelled')}
        </p>
      )}
    </div>
  )
}
