import { CalendarPlus, CircleCheck, Clock } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { formatCents, formatClockTime, formatFullDay } from '../../../shared/translations.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { ErrorLine, PortalButton } from '../../../ui/patient/parts.tsx'
import { termsLines, type VisitTerms } from '../../availability/terms-rules.ts'
import type { Booked, Held, Visit } from './calls.ts'
import { ChangeText, changeableUntil } from './ChangeText.tsx'
import { bookingTexts } from './texts.ts'

interface HeldStepProps {
  held: Held
  visit: Visit
  timeZone: string
  isBusy: boolean
  error: ReactNode
  /** Books it or, where there are terms, accepts them. */
  onConfirm: () => void
  onOtherTime: () => void
  /** Whether the time was offered from the waiting list: there is no other, and the offer is behind this page. */
  isOffer: boolean
}

/** The held time, until when it is held, and until when the visit can be changed or, where there are any, the terms to accept. */
export function HeldStep({ held, visit, timeZone, isBusy, error, onConfirm, onOtherTime, isOffer }: HeldStepProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const [accepts, setAccepts] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const box = useId()
  const { terms } = held
  const [now] = useState(() => Date.now())
  const isSoon = changeableUntil(visit, held.startsAt) < now

  function submit() {
    if (terms === null || accepts) return onConfirm()
    setMissing(true)
    document.getElementById(box)?.focus()
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {error}
      <When startsAt={held.startsAt} provider={held.provider} timeZone={timeZone} />
      <HeldUntil until={held.heldUntil} />
      {terms !== null && (
        <section className="flex flex-col gap-3 border-t border-line pt-5">
          <h2 className="text-lg font-semibold">{t('termsTitle')}</h2>
          <ul className="flex list-disc flex-col gap-1.5 pl-5 text-lg">
            {termsLines(terms, language, isSoon).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {isMissing && !accepts && <ErrorLine id={`${box}error`}>{t('acceptMissing')}</ErrorLine>}
          <div className="flex items-start gap-3">
            <Checkbox
              id={box}
              large
              checked={accepts}
              onCheckedChange={setAccepts}
              aria-invalid={isMissing && !accepts ? true : undefined}
              aria-describedby={isMissing && !accepts ? `${box}error` : undefined}
            />
            <label htmlFor={box} className="min-h-6 text-lg leading-6">
              {t('acceptTerms')}
            </label>
          </div>
        </section>
      )}
      <div className="flex flex-wrap gap-3">
        <PortalButton
          type="submit"
          variant="filled"
          className="max-md:w-full"
          busy={isBusy}
          busyLabel={terms === null ? t('confirming') : t('startingCard')}
        >
          {terms === null ? t('confirm') : t('toCard')}
        </PortalButton>
        <PortalButton className="max-md:w-full" onClick={onOtherTime}>
          {t(isOffer ? 'back' : 'otherTime')}
        </PortalButton>
      </div>
    </form>
  )
}

/** How long the time is still held. */
export function HeldUntil({ until }: { until: string }) {
  const t = bookingTexts[useLanguage()]
  const left = useMinutesLeft(until)
  return (
    <p role="status" className="flex gap-2.5 rounded-lg bg-accent-soft px-4 py-3 text-lg text-accent-fg">
      <Clock aria-hidden="true" className="mt-1" />
      {left > 0 ? t('held', { count: left }) : t('heldOver')}
    </p>
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

interface BookedStepProps {
  booked: Booked
  visit: Visit
  /** What the patient accepted; with terms, it can be cancelled at any time. Null: nothing. */
  terms: VisitTerms | null
  /** Empty for an offer from the waiting list, whose link does not show it. */
  email: string
  timeZone: string
}

/** The visit that was made. */
export function BookedStep({ booked, visit, terms, email, timeZone }: BookedStepProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const [now] = useState(() => Date.now())
  const isChangeable = changeableUntil(visit, booked.startsAt) > now
  return (
    <div className="flex flex-col gap-5">
      <When startsAt={booked.startsAt} provider={booked.provider} timeZone={timeZone} />
      <p className="wrap-anywhere">{booked.place}</p>
      {terms && terms.depositCents > 0 && (
        <p className="flex gap-2.5 font-medium text-success-fg [&>svg]:mt-1">
          <CircleCheck aria-hidden="true" />
          {t('depositPaid', { amount: formatCents(terms.depositCents, language) })}
        </p>
      )}
      <p className="wrap-anywhere">{email === '' ? t('bookedSoon') : t('bookedMail', { email })}</p>
      {isChangeable && <ChangeText visit={visit} startsAt={booked.startsAt} timeZone={timeZone} />}
      {booked.forms.length > 0 && (
        <section className="flex flex-col gap-3 border-y border-line py-5">
          <h2 className="text-lg font-semibold">{t('formsTitle')}</h2>
          <p>{t('forms')}</p>
          <ul className="flex list-disc flex-col gap-1.5 pl-5">
            {booked.forms.map(({ name, nameFr, link }) => (
              <li key={link}>
                <PageLink href={link}>{language === 'fr' ? nameFr : name}</PageLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <PortalButton asChild className="max-md:w-full" icon={<CalendarPlus />}>
          <a href={booked.calendarFile}>{t('addToCalendar')}</a>
        </PortalButton>
        {(isChangeable || terms) && (
          <PageLink href={booked.link}>
            {isChangeable
              ? t('manage')
              : terms?.lateFeeCents
                ? t('cancelForFee', { fee: formatCents(terms.lateFeeCents, language) })
                : t('cancelOnly')}
          </PageLink>
        )}
      </div>
    </div>
  )
}

/** In a frame, it opens a tab of its own. */
const PageLink = ({ href, children }: { href: string; children: string }) => (
  <a
    href={href}
    target={parent === window ? undefined : '_blank'}
    rel="noreferrer"
    className="font-semibold wrap-anywhere underline underline-offset-4"
  >
    {children}
  </a>
)

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
