import { Clock } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatClockTime, formatFullDay } from '../../../shared/translations.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { PortalButton } from '../../../ui/patient/parts.tsx'
import type { Booked, Held, Visit } from './calls.ts'
import { ChangeText, changeableUntil } from './ChangeText.tsx'
import { bookingTexts } from './texts.ts'

interface HeldStepProps {
  held: Held
  visit: Visit
  timeZone: string
  isBusy: boolean
  error: ReactNode
  onConfirm: () => void
  onOtherTime: () => void
}

/** The held time, until when it is held, and until when the visit can be changed. */
export function HeldStep({ held, visit, timeZone, isBusy, error, onConfirm, onOtherTime }: HeldStepProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const left = useMinutesLeft(held.heldUntil)
  return (
    <div className="flex flex-col gap-5">
      {error}
      <When startsAt={held.startsAt} provider={held.provider} timeZone={timeZone} />
      <p role="status" className="flex gap-2.5 rounded-lg bg-accent-soft px-4 py-3 text-lg text-accent-fg">
        <Clock aria-hidden="true" className="mt-1" />
        {left > 0 ? t('held', { count: left }) : t('heldOver')}
      </p>
      <ChangeText visit={visit} startsAt={held.startsAt} timeZone={timeZone} className="md:hidden" />
      <div className="flex flex-wrap gap-3">
        <PortalButton variant="filled" busy={isBusy} busyLabel={t('confirming')} onClick={onConfirm}>
          {t('confirm')}
        </PortalButton>
        <PortalButton onClick={onOtherTime}>{t('otherTime')}</PortalButton>
      </div>
    </div>
  )
}

/** Whole minutes until a moment, rounded up; counts down by itself. */
export function useMinutesLeft(until: string): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 60_000))
}

/** The visit that was made. */
export function BookedStep({ booked, visit, email, timeZone }: { booked: Booked; visit: Visit; email: string; timeZone: string }) {
  const t = bookingTexts[useLanguage()]
  const [now] = useState(() => Date.now())
  return (
    <div className="flex flex-col gap-5">
      <When startsAt={booked.startsAt} provider={booked.provider} timeZone={timeZone} />
      <p className="wrap-anywhere">{booked.place}</p>
      <p className="wrap-anywhere">{t('bookedMail', { email })}</p>
      {changeableUntil(visit, booked.startsAt) > now && (
        <p>
          <a
            href={booked.link}
            target={parent === window ? undefined : '_blank'}
            rel="noreferrer"
            className="font-semibold underline underline-offset-4"
          >
            {t('manage')}
          </a>
        </p>
      )}
    </div>
  )
}

function When({ startsAt, provider, timeZone }: { startsAt: string; provider: string | null; timeZone: string }) {
  const language = useLanguage()
  return (
    <div>
      <p className="text-xl font-semibold">
        <time dateTime={startsAt}>
          <span className="block first-letter:uppercase">{formatFullDay(startsAt, language, timeZone)}</span>
          <span className="block tabular-nums">{formatClockTime(startsAt, language, timeZone)}</span>
        </time>
      </p>
      {provider && <p className="pt-1 text-fg-2">{bookingTexts[language]('withProvider', { provider })}</p>}
    </div>
  )
}
