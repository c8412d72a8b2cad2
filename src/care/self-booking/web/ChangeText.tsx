import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { formatCents, formatMediumInstant } from '../../../shared/translations.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { freeUntil } from '../../availability/terms-rules.ts'
import type { Visit } from './calls.ts'
import { bookingTexts } from './texts.ts'

/** Until when patients may move or cancel a visit, in milliseconds. */
export const changeableUntil = ({ changeHours }: Visit, startsAt: string): number => freeUntil(new Date(startsAt), changeHours).getTime()

interface ChangeTextProps {
  visit: Visit
  /** Null: no time is chosen yet. */
  startsAt: string | null
  timeZone: string
  className?: string
}

/** Until when the patient may move or cancel it, or that this has passed. */
export function ChangeText({ visit, startsAt, timeZone, className = '' }: ChangeTextProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const [now] = useState(() => Date.now())
  const until = startsAt === null ? null : changeableUntil(visit, startsAt)
  return (
    <p className={`flex gap-2.5 text-lg wrap-anywhere [&>svg]:mt-1 ${className}`}>
      <CalendarClock aria-hidden="true" />
      {until === null
        ? t('changeHours', { count: visit.changeHours })
        : until <= now
          ? t(visit.depositKind === 'none' ? 'changeByPhone' : visit.lateFeeCents > 0 ? 'changeForFee' : 'moveByPhone', {
              fee: formatCents(visit.lateFeeCents, language),
            })
          : t('changeUntil', { at: formatMediumInstant(new Date(until), language, timeZone).replace(/\.$/, '') })}
    </p>
  )
}
