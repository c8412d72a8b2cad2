import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { PortalButton } from '../../../ui/patient/parts.tsx'
import { formatClockTime, formatVisitDay } from '../../../shared/translations.ts'
import { fetchOpenings, type Held, type Visit } from './calls.ts'
import { TimePicker } from './embed/TimePicker.tsx'
import { useMinutesLeft } from './HeldStep.tsx'
import { bookingTexts } from './texts.ts'

interface TimeStepProps {
  visit: Visit
  /** Null: anyone. */
  providerId: string | null
  startsAt: string | null
  timeZone: string
  /** The time is held as soon as it is chosen. */
  isProven: boolean
  /** What is held until another time is chosen. */
  held: Held | null
  onKeep: () => void
  isBusy: boolean
  error: ReactNode
  onProvider: (id: string | null) => void
  /** A time that was chosen before. */
  near: string | null
  onTime: (startsAt: string | null) => void
  onContinue: (startsAt: string) => void
  /** To the waiting list. */
  onWait: () => void
}

/** With whom, and when. */
export function TimeStep({
  visit,
  providerId,
  startsAt,
  near,
  timeZone,
  isProven,
  held,
  onKeep,
  isBusy,
  error,
  onProvider,
  onTime,
  onContinue,
  onWait,
}: TimeStepProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  /** No time can be booked at all. */
  const [isEmpty, setEmpty] = useState(false)
  const next = useRef<HTMLDivElement>(null)
  // In a frame nothing sticks to the bottom of the window: the page around it scrolls (public/book.js).
  useEffect(() => {
    if (startsAt === null || parent === window || !next.current) return
    parent.postMessage({ refyneBookingNext: next.current.getBoundingClientRect().bottom }, '*')
  }, [startsAt])
  const load = useCallback((from: string, days: number) => fetchOpenings(visit.id, providerId, from, days), [visit.id, providerId])
  return (
    <>
      {error}
      {held && <KeptTime held={held} timeZone={timeZone} onKeep={onKeep} />}
      {visit.providers.length > 1 && (
        <label className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-5">
          <span className="text-title text-fg-2">{t('provider')}</span>
          <select
            className="field-edge h-12 min-w-0 flex-1 rounded-lg px-3 text-title max-md:text-lg"
            value={providerId ?? ''}
            onChange={({ currentTarget: { value } }) => {
              setEmpty(false)
              onProvider(value === '' ? null : value)
            }}
          >
            <option value="">{t('anyone')}</option>
            {visit.providers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isEmpty ? (
        <div className="flex flex-col items-start gap-5">
          <p>{t('noneAtAll')}</p>
          <PortalButton variant="filled" className="max-md:w-full" onClick={onWait}>
            {t('waitJoin')}
          </PortalButton>
        </div>
      ) : (
        <>
          <TimePicker key={providerId} {...{ load, timeZone, near }} value={startsAt} onChoose={onTime} onEmpty={() => setEmpty(true)} />
          <button type="button" className="mt-3 min-h-11 text-title font-medium underline underline-offset-4" onClick={onWait}>
            {t('noTime')}
          </button>
          <div
            ref={next}
            className={cn(
              'sticky bottom-0 -mx-4 mt-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 md:-mx-7 md:px-7 md:py-4',
              startsAt === null && 'max-md:hidden',
            )}
          >
            <p className="text-title text-fg-2 max-md:w-full">
              {startsAt !== null && (
                <span className="block font-semibold text-fg first-letter:uppercase">
                  {formatVisitDay(startsAt, language, timeZone)}, {formatClockTime(startsAt, language, timeZone)}
                </span>
              )}
              {isProven ? '' : t('heldSoon')}
            </p>
            <PortalButton
              variant="filled"
              className="max-md:w-full md:ml-auto"
              disabled={startsAt === null}
              busy={isBusy}
              busyLabel={t('holding')}
              onClick={() => startsAt !== null && onContinue(startsAt)}
            >
              {isProven ? t('holdTime') : t('continue')}
            </PortalButton>
          </div>
        </>
      )}
    </>
  )
}

/** What is held until another time is chosen. */
function KeptTime({ held, timeZone, onKeep }: { held: Held; timeZone: string; onKeep: () => void }) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const left = useMinutesLeft(held.heldUntil)
  if (left === 0) return null
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-accent-soft px-4 py-3">
      <p className="text-lg text-accent-fg">
        <span className="block font-semibold first-letter:uppercase">
          {formatVisitDay(held.startsAt, language, timeZone)}, {formatClockTime(held.startsAt, language, timeZone)}
        </span>
        {t('held', { count: left })}
      </p>
      <PortalButton onClick={onKeep}>{t('keepTime')}</PortalButton>
    </div>
  )
}
