import { CalendarDays, CircleCheck, Clock, LockKeyhole, MapPin, Receipt, UserRound, Wallet } from 'lucide-react'
import { type ReactNode, type Ref, useEffect } from 'react'
import { formatClockTime, formatVisitDay, inLanguage } from '../../../shared/translations.ts'
import { cn } from '../../../ui/cn.ts'
import { ProductMark } from '../../../ui/layout/ProductMark.tsx'
import { useLanguage } from '../../../ui/patient/language.ts'
import { LanguageSwitch } from '../../../ui/patient/LanguageSwitch.tsx'
import type { Offers, Visit } from './calls.ts'
import { ChangeText } from './ChangeText.tsx'
import { bookingTexts } from './texts.ts'
import { depositOf, InLine, priceOf } from './visit-facts.tsx'

interface FrameProps {
  /** Null while it loads. */
  practice: Offers['practice'] | null
  /** Null: the name of the visit is the page's heading. */
  title: string | null
  /** What is booked, beside the step; null: not chosen yet. */
  visit: Visit | null
  /** The chosen time; null: it is not chosen yet. */
  startsAt: string | null
  /** Whether the step shows the time. */
  isTimeInStep: boolean
  isBooked: boolean
  /** For the waiting list: no time is booked. */
  isWaiting: boolean
  /** Who was chosen, or is the only one; null: anyone. */
  provider: string | null
  /** Goes back to the list; null: there is no other visit, or it is too late. */
  onVisits: (() => void) | null
  heading: Ref<HTMLHeadingElement>
  isLoading: boolean
  children: ReactNode
}

/** The header of all patient pages above a card with what is booked and the step. */
export function Frame({ practice, title, visit, heading, isLoading, children, ...about }: FrameProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const name = practice?.name ?? ''
  useEffect(() => {
    document.documentElement.lang = `${language}-CA`
    document.title = name === '' ? t('title') : `${t('title')} · ${name}`
  }, [language, name, t])
  return (
    <div className="text-portal">
      {practice?.demo && (
        <p role="note" className="bg-info-soft px-4 py-1.5 text-center text-xs font-medium text-info-fg">
          {t('demo')}
        </p>
      )}
      <header className="bar border-b border-line bg-surface">
        <div className="page mx-auto flex min-h-16 max-w-248 items-center gap-2 px-4 py-2 md:min-h-18 md:gap-3 md:px-6">
          <div className="brand flex min-w-0 flex-1 items-center gap-2 md:gap-3">
            {practice &&
              (practice.logo === null ? (
                <ProductMark className="size-9.5 rounded-lg [&_svg]:size-5.5" />
              ) : (
                <img
                  src={`/api/practice/logo/${practice.logo}.png`}
                  alt=""
                  className="max-h-9.5 w-auto max-w-20 flex-none rounded-xs object-contain md:max-w-40 dark:bg-inverse dark:p-0.5"
                />
              ))}
            <div className="min-w-0 flex-1">
              <p className="leading-snug font-semibold wrap-anywhere max-md:text-title">{name}</p>
              <p className="truncate text-md text-fg-3 max-md:hidden">
                {practice && inLanguage(language, practice.subtitle, practice.subtitleFr)}
              </p>
            </div>
          </div>
          <LanguageSwitch />
        </div>
      </header>
      <div className="page mx-auto w-full max-w-248 px-4 pt-4 pb-8 md:px-6 md:pt-8">
        <main className={cn('grid rounded-xl border border-line bg-surface', visit && 'md:grid-cols-[20rem_1fr]')}>
          {visit && practice && <Aside {...about} {...{ visit, practice, title, heading }} />}
          <section className="min-w-0 p-4 md:p-7">
            {title !== null && (
              <h1 ref={heading} tabIndex={-1} className="flex gap-2.5 pb-5 text-xl font-semibold outline-none md:text-2xl">
                {about.isBooked && <CircleCheck aria-hidden="true" className="mt-0.5 size-6! text-success-fg" />}
                {title}
              </h1>
            )}
            {isLoading && <div role="status" aria-label="…" className="h-80 animate-pulse rounded-lg bg-subtle" />}
            {children}
          </section>
        </main>
        <p className="flex gap-2 pt-3 text-title text-fg-2">
          <LockKeyhole aria-hidden="true" className="mt-0.5" />
          <span>
            {t('footer')}{' '}
            {practice?.phone && <a href={`tel:${practice.phone.replace(/[^\d+]/g, '')}`}>{t('questions', { phone: practice.phone })}</a>}{' '}
            {t('emergency')}
          </span>
        </p>
      </div>
    </div>
  )
}

interface AsideProps extends Pick<
  FrameProps,
  'startsAt' | 'isTimeInStep' | 'isBooked' | 'isWaiting' | 'onVisits' | 'provider' | 'heading'
> {
  visit: Visit
  practice: Offers['practice']
  title: string | null
}

const otherVisitStyle = 'min-h-11 text-title font-medium underline underline-offset-4'

function Aside({ visit, practice, startsAt, isTimeInStep, isBooked, isWaiting, onVisits, provider, title, heading }: AsideProps) {
  const language = useLanguage()
  const t = bookingTexts[language]
  const name = inLanguage(language, visit.name, visit.nameFr)
  const description = inLanguage(language, visit.description ?? '', visit.descriptionFr)
  const style = 'text-xl font-semibold outline-none wrap-anywhere'
  const when =
    isTimeInStep || startsAt === null
      ? null
      : `${formatVisitDay(startsAt, language, practice.timeZone)}, ${formatClockTime(startsAt, language, practice.timeZone)}`
  const price = priceOf(visit, language)
  const deposit = isBooked ? null : depositOf(visit, language)
  /** The step names the place of what is booked: another one, maybe. */
  const address = isBooked ? '' : practice.address
  const facts = [
    ...(when ? [{ icon: <CalendarDays />, text: when }] : []),
    { icon: <Clock />, text: t('minutes', { minutes: visit.minutes }) },
    ...(provider === null ? [] : [{ icon: <UserRound />, text: provider }]),
    ...(address === '' ? [] : [{ icon: <MapPin />, text: address }]),
    ...(price === null ? [] : [{ icon: <Receipt />, text: price }]),
    ...(deposit === null ? [] : [{ icon: <Wallet />, text: deposit }]),
  ]
  return (
    <aside className="border-line p-4 max-md:border-b md:border-r md:p-7">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-title text-fg-2">{t(isWaiting ? 'waitingLabel' : isBooked ? 'bookedLabel' : 'booking')}</p>
        {onVisits && (
          <button type="button" className={cn(otherVisitStyle, '-my-2 md:hidden')} onClick={onVisits}>
            {t('otherVisit')}
          </button>
        )}
      </div>
      {title === null ? (
        <h1 ref={heading} tabIndex={-1} className={style}>
          {name}
        </h1>
      ) : (
        <p className={style}>{name}</p>
      )}
      {description !== '' && <p className="pt-2 text-title whitespace-pre-line text-fg-2 wrap-anywhere max-md:hidden">{description}</p>}
      <p className="pt-1 text-title text-fg-2 md:hidden">
        <InLine parts={[when, t('minutes', { minutes: visit.minutes }), provider, price, deposit]} />
      </p>
      <ul className="flex flex-col gap-2 pt-4 text-lg max-md:hidden">
        {facts.map(({ icon, text }) => (
          <li key={text} className="flex gap-2.5 wrap-anywhere [&>svg]:mt-1">
            {icon}
            {text}
          </li>
        ))}
      </ul>
      {address !== '' && <p className="text-title text-fg-2 md:hidden">{address}</p>}
      {!isBooked && !isWaiting && visit.changeHours > 0 && (
        <ChangeText visit={visit} startsAt={startsAt} timeZone={practice.timeZone} className="pt-2 max-md:text-title" />
      )}
      {onVisits && (
        <button type="button" className={cn(otherVisitStyle, 'mt-5 max-md:hidden')} onClick={onVisits}>
          {t('otherVisit')}
        </button>
      )}
    </aside>
  )
}
