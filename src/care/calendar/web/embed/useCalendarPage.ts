import { useEffect } from 'react'
import { beginningOf, toLocal } from '../../../../shared/zoned-time.ts'
import { today } from '../../../../ui/format.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { useMedia, usePhone } from '../../../../ui/hooks/useMedia.ts'
import { type CalendarSearch, everyView, type View } from './calendar-search.ts'
import { useNames } from './names.ts'
import { daysShown, showsDay, stepFrom } from './periods.ts'
import { entryElement } from './useFocusOnEntries.ts'

export const loadGrid = () => import('./CalendarGrid.tsx')

/** The views that a page has room for, and the one that it shows: seven columns are too many for a phone. */
function useView(defaultView: View, wanted: View | undefined) {
  const phone = usePhone()
  const narrow = useMedia('(width < 60rem)')
  const views = phone ? everyView.filter((view) => view !== 'week') : everyView
  return { phone, narrow, views, view: views.find((one) => one === wanted) ?? (views.includes(defaultView) ? defaultView : 'list') }
}

interface Options<Search extends CalendarSearch> {
  search: Search
  /** `replace`: without a step of the history of its own. */
  onChange: (part: Partial<Search>, replace?: boolean) => void
  defaultView: View
  /** Whether the list, too, has the days around the one that is shown; it may have all that is to come. */
  listHasDays: boolean
}

export type CalendarPage<Search extends CalendarSearch = CalendarSearch> = ReturnType<typeof useCalendarPage<Search>>

/** The days of a calendar's page: where it stands, how it goes on, and how it follows what was saved. */
export function useCalendarPage<Search extends CalendarSearch>({ search, onChange, defaultView, listHasDays }: Options<Search>) {
  const { view, ...layout } = useView(defaultView, search.view)
  const clock = useClock()
  const names = useNames()
  useEffect(() => {
    // Asked for with the page that shows it; should it not come, the page asks again.
    if (view !== 'list') void loadGrid().catch(() => undefined)
  }, [view])
  const now = today(clock)
  const shown = search.day ?? now
  const { from, to } = daysShown(view, shown)
  const hasDays = listHasDays || view !== 'list'
  // Every search is a search of a calendar.
  const change = (part: CalendarSearch) => onChange(part as Partial<Search>)
  const goTo = (day: string) => change({ day: day === now ? undefined : day })
  return {
    ...layout,
    search,
    change,
    view,
    clock,
    names,
    now,
    /** The day that is shown, and the instants between which it shows what is booked. */
    shown,
    period: { from: beginningOf(from, clock.timeZone).toISOString(), to: beginningOf(to, clock.timeZone).toISOString() },
    /** The columns of a day that is wide enough for some. */
    by: view === 'day' && !layout.narrow ? (search.by ?? null) : null,
    /** Whom and where the page is narrowed down to. */
    filtered: { providerId: search.provider ?? null, roomId: search.room ?? null },
    goTo,
    /** Absent where what is shown is of no period. */
    step: hasDays ? (by: 1 | -1) => goTo(stepFrom(view, shown, by)) : undefined,
    /** The day to book on unless one is marked: never one that is over. */
    dayToBook: shown < now ? now : shown,
    /** To the day of what was saved, should it be out of sight. */
    follow: ({ startsAt }: { startsAt: string }) => {
      const { day } = toLocal(startsAt, clock.timeZone)
      if (hasDays && !showsDay(view, shown, day)) goTo(day)
    },
  }
}

/** Back to an entry whose drawer was closed. The calendar has drawn it again in the meantime. */
export const focusAgain = (id: string): void => void setTimeout(() => document.activeElement === document.body && entryElement(id)?.focus())
