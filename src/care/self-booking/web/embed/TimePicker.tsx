import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatClockTime, formatVisitDay, type Language } from '../../../../shared/translations.ts'
import { cn } from '../../../../ui/cn.ts'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { addDays, addMonths, dayIn, daysOf, hourIn, monthOf, weeksOf } from './calendar.ts'
import { timeTexts } from './texts.ts'

/** The times of some days, as the API returns them: instants are ISO strings. */
export interface Openings {
  days: { day: string; starts: string[] }[]
  next: { day: string; startsAt: string } | null
}

interface TimePickerProps {
  /** Null: they could not be loaded. */
  load: (from: string, days: number) => Promise<Openings | null>
  timeZone: string
  value: string | null
  /** Where it begins without a value: a time that was chosen before, or an appointment's. Null: at the next day with times. */
  near?: string | null
  /** Null: the choice is gone with its day. */
  onChoose: (startsAt: string | null) => void
  /** There are no times at all; by default it says so. */
  onEmpty?: () => void
}

type Loaded = Openings | 'loading' | 'failed'
const daysOfLoaded = (loaded: Loaded | undefined) => (typeof loaded === 'object' ? loaded.days.map(({ day }) => day) : [])
/** Fewer open days than that do not fill the strip of a phone. */
const fewDays = 5

/**
 * A month with its open days tinted, and the times of the chosen day. It begins with the next day that has any. On a phone, the open days are a strip.
 * To load the times again, change its key.
 */
export function TimePicker({ load, timeZone, value, near = null, onChoose, onEmpty }: TimePickerProps) {
  const language = useLanguage()
  const t = timeTexts[language]
  const [today] = useState(() => dayIn(new Date(), timeZone))
  const begin = value ?? near
  const [month, setMonth] = useState(() => monthOf(begin === null ? today : dayIn(begin, timeZone)))
  const [months, setMonths] = useState<Record<string, Loaded>>({})
  const [day, setDay] = useState(() => (begin === null ? null : dayIn(begin, timeZone)))
  const shown = months[month] ?? 'loading'
  const openings = typeof shown === 'object' ? shown : null
  const openDays = daysOfLoaded(shown)
  const starts = openings?.days.find((one) => one.day === day)?.starts ?? []

  const isNearlyOver = openings !== null && openDays.length < fewDays && openings.next !== null
  const following = addMonths(month, 1)
  const followingDays = daysOfLoaded(months[following])

  useEffect(() => {
    // The next month is shown too where this one has few days left.
    const wanted = months[month] === undefined ? month : isNearlyOver && months[following] === undefined ? following : null
    if (wanted === null) return
    const days = daysOf(wanted).filter((one) => one >= today)
    const put = (what: Loaded) => setMonths((before) => ({ ...before, [wanted]: what }))
    put('loading')
    void load(days[0]!, days.length).then((found) => {
      put(found ?? 'failed')
      if (wanted !== month) return
      const first = found?.days[0]?.day
      if (first) return setDay((before) => (before !== null && monthOf(before) === month ? before : first))
      // The first page without times shows where they begin.
      if (!found || Object.keys(months).length > 0) return
      if (!found.next) return onEmpty?.()
      setMonth(monthOf(found.next.day))
      setDay(found.next.day)
    })
  }, [month, following, isNearlyOver, months, today, load, onEmpty])

  function showDay(next: string) {
    setMonth(monthOf(next))
    setDay(next)
    if (next !== day) onChoose(null)
  }

  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-lg font-semibold first-letter:uppercase md:text-portal" aria-live="polite">
          {nameOfMonth(month, language)}
        </h2>
        <div className="flex gap-2">
          <PortalButton
            aria-label={t('previousMonth')}
            className="h-10 w-12 px-0 md:h-10"
            icon={<ChevronLeft />}
            disabled={month <= monthOf(today)}
            onClick={() => setMonth(addMonths(month, -1))}
          />
          <PortalButton
            aria-label={t('nextMonth')}
            className="h-10 w-12 px-0 md:h-10"
            icon={<ChevronRight />}
            disabled={openings !== null && openings.next === null}
            onClick={() => setMonth(addMonths(month, 1))}
          />
        </div>
      </div>
      <Month {...{ month, today, day, language, openDays }} isLoading={shown === 'loading'} onChoose={showDay} />
      {isNearlyOver && followingDays.length > 0 && (
        <>
          <p className="pt-5 text-portal font-semibold first-letter:uppercase max-md:hidden">{nameOfMonth(following, language)}</p>
          <Month month={following} {...{ today, day, language }} openDays={followingDays} isLoading={false} onChoose={showDay} />
        </>
      )}
      <DayStrip openDays={[...openDays, ...(isNearlyOver ? followingDays : [])]} {...{ day, language }} onChoose={showDay} />
      <div className="min-h-56 pt-6" aria-busy={shown === 'loading'}>
        {shown === 'loading' && <p className="sr-only">{t('loading')}</p>}
        {shown === 'failed' && (
          <div className="flex flex-col items-start gap-4">
            <ErrorLine>{t('failed')}</ErrorLine>
            <PortalButton onClick={() => setMonths(({ [month]: _, ...others }) => others)}>{t('tryAgain')}</PortalButton>
          </div>
        )}
        {openings && openDays.length === 0 && (
          <div className="flex flex-col items-start gap-4">
            <p>{openings.next ? t('noneInMonth') : t('noneAtAll')}</p>
            {openings.next && (
              <PortalButton onClick={() => showDay(openings.next!.day)}>
                {t('showNext', { day: formatVisitDay(openings.next.startsAt, language, timeZone) })}
              </PortalButton>
            )}
          </div>
        )}
        {openings && openDays.length > 0 && starts.length === 0 && <p role="status">{t('noneOnDay')}</p>}
        {starts.length > 0 && <Times {...{ starts, timeZone, language, value, onChoose }} />}
      </div>
    </div>
  )
}

interface MonthProps {
  month: string
  today: string
  day: string | null
  openDays: readonly string[]
  language: Language
  isLoading: boolean
  onChoose: (day: string) => void
}

/** The later of two days. */
const notBefore = (first: string, day: string) => (day < first ? first : day)

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

function Month({ month, today, day, openDays, language, isLoading, onChoose }: MonthProps) {
  const t = timeTexts[language]
  const weekdayNames = weekdays(language)
  const grid = useRef<HTMLDivElement>(null)
  /** The day to which an arrow key moves the focus. */
  const focusNext = useRef<string | null>(null)
  const current = day !== null && monthOf(day) === month ? day : (openDays[0] ?? notBefore(today, `${month}-01`))
  // Into another month once it is drawn.
  useEffect(() => {
    const button = grid.current?.querySelector<HTMLButtonElement>(`[data-day="${focusNext.current}"]`)
    if (!button) return
    focusNext.current = null
    button.focus()
  })
  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key]
    const target =
      step !== undefined ? addDays(current, step) : event.key === 'PageUp' ? `${addMonths(month, -1)}-01` : `${addMonths(month, 1)}-01`
    if (step === undefined && event.key !== 'PageUp' && event.key !== 'PageDown') return
    event.preventDefault()
    if (monthOf(target) < monthOf(today)) return
    focusNext.current = notBefore(today, target)
    onChoose(notBefore(today, target))
  }
  return (
    <div ref={grid} role="grid" aria-label={t('days')} tabIndex={-1} className="pt-4 outline-none max-md:hidden" onKeyDown={onKeyDown}>
      <div role="row" className="grid grid-cols-7 gap-1">
        {weekdayNames.map(({ short, long }) => (
          <span key={long} role="columnheader" aria-label={long} className="pb-1 text-center text-md text-fg-3">
            {short}
          </span>
        ))}
      </div>
      {weeksOf(month, today).map((week) => (
        <div key={week.find((one) => one !== null)} role="row" className="grid grid-cols-7 gap-1 pt-1">
          {week.map((one, column) => (
            <span key={one ?? `empty ${weekdayNames[column]!.long}`} role="gridcell" className="h-11">
              {one !== null && (
                <button
                  type="button"
                  data-day={one}
                  tabIndex={one === current ? 0 : -1}
                  aria-label={t(openDays.includes(one) ? 'openDay' : 'fullDay', { day: dayName(one, language) })}
                  aria-pressed={one === day}
                  aria-disabled={!openDays.includes(one)}
                  className={cn(
                    'size-full rounded-md text-title tabular-nums',
                    openDays.includes(one) ? 'bg-accent-soft font-semibold text-accent-fg hover:bg-accent-line' : 'text-fg-3',
                    isLoading && 'text-fg-3',
                    one === day && openDays.includes(one) && 'bg-accent text-on-accent hover:bg-accent-hover',
                  )}
                  onClick={() => openDays.includes(one) && onChoose(one)}
                >
                  {Number(one.slice(8))}
                </button>
              )}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}

/** On a phone: the open days of the month, side by side. */
function DayStrip({ openDays, day, language, onChoose }: Pick<MonthProps, 'openDays' | 'day' | 'language' | 'onChoose'>) {
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    strip.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [day, openDays.length])
  return (
    <div
      ref={strip}
      role="group"
      aria-label={timeTexts[language]('days')}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 pt-4 pb-1 md:hidden"
    >
      {openDays.map((one) => (
        <button
          key={one}
          type="button"
          aria-label={dayName(one, language)}
          aria-pressed={one === day}
          className={cn(
            'flex h-16 w-14 flex-none flex-col items-center justify-center rounded-md bg-accent-soft text-accent-fg',
            one === day && 'bg-accent text-on-accent',
          )}
          onClick={() => onChoose(one)}
        >
          <span className="text-xs">{weekdays(language)[new Date(`${one}T00:00:00Z`).getUTCDay()]!.short}</span>
          <span className="text-lg font-semibold tabular-nums">{Number(one.slice(8))}</span>
        </button>
      ))}
    </div>
  )
}

interface TimesProps extends Pick<TimePickerProps, 'timeZone' | 'value'> {
  onChoose: (startsAt: string) => void
  starts: readonly string[]
  language: Language
}

function Times({ starts, timeZone, language, value, onChoose }: TimesProps) {
  const t = timeTexts[language]
  const partOf = (start: string) => {
    const hour = hourIn(start, timeZone)
    return hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
  }
  return (
    <div className="flex flex-col gap-4">
      <p>
        <span className="inline-block font-semibold first-letter:uppercase">{formatVisitDay(starts[0]!, language, timeZone)}</span>{' '}
        <span className="text-title text-fg-2">{zoneName(starts[0]!, language, timeZone)}</span>
      </p>
      {(['morning', 'afternoon', 'evening'] as const).map((part) => {
        const inPart = starts.filter((start) => partOf(start) === part)
        if (inPart.length === 0) return null
        return (
          <div key={part} role="group" aria-label={t(`dayParts.${part}`)}>
            <p className="pb-2 text-title text-fg-2">{t(`dayParts.${part}`)}</p>
            <div className="grid grid-cols-3 gap-2">
              {inPart.map((start) => (
                <button
                  key={start}
                  type="button"
                  aria-pressed={start === value}
                  className={cn(
                    'h-12 rounded-lg border border-line-control bg-raised px-1 text-title font-medium whitespace-nowrap tabular-nums hover:bg-hover',
                    start === value && 'border-accent bg-accent-soft font-semibold text-accent-fg hover:bg-accent-soft',
                  )}
                  onClick={() => onChoose(start)}
                >
                  {formatClockTime(start, language, timeZone)}
                </button>
              ))}
            </div>
          </div>
        )
      })}
    </div>
  )
}

const nameOfMonth = (month: string, language: Language) =>
  new Intl.DateTimeFormat(`${language}-CA`, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`))

const dayName = (day: string, language: Language) => formatVisitDay(`${day}T00:00:00Z`, language, 'UTC')

/** 'Eastern Time', so that a patient who travels knows whose time it is. */
const zoneName = (at: string, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(`${language}-CA`, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** Sunday first; in short as two letters. */
const weekdays = (language: Language) =>
  Array.from({ length: 7 }, (_, index) => {
    // January 7, 2024 was a Sunday.
    const name = (weekday: 'short' | 'long') =>
      new Intl.DateTimeFormat(`${language}-CA`, { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 7 + index))
    const short = name('short').slice(0, 2)
    return { short: short.charAt(0).toUpperCase() + short.slice(1), long: name('long') }
  })
