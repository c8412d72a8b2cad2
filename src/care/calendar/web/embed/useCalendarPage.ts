import { useEffect } from 'react'
import { beginningOf, toLocal } from '../../../../shared/zoned-time.ts'
import { today } from '../../../../ui/format.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { useMedia, usePhone } from '../../../../ui/hooks/useMedia.ts'
import { type CalendarSearch, allViews, type View } from './calendar-search.ts'
import { useNames } from './names.ts'
import { daysShown, showsDay, stepFrom } from './periods.ts'
import { entryElement } from './grid/useFocusOnEntries.ts'

export const loadGrid = () => import('./grid/CalendarGrid.tsx')

/** The available views and the current one. Phones have no week view: seven columns do not fit. */
function useView(defaultView: View, wanted: View | undefined) {
  const phone = usePhone()
  const narrow = useMedia('(width < 60rem)')
  const views = phone ? allViews.filter((view) => view !== 'week') : allViews
  return { phone, narrow, views, view: views.find((one) => one === wanted) ?? (views.includes(defaultView) ? defaultView : 'list') }
}

interface Options<Search extends CalendarSearch> {
  search: Search
  /** `replace`: replaces the browser history entry. */
  onChange: (part: Partial<Search>, replace?: boolean) => void
  defaultView: View
  /** Whether the list view also covers a period; otherwise it shows everything upcoming. */
  listHasPeriod: boolean
}

export type CalendarPage<Search extends CalendarSearch = CalendarSearch> = ReturnType<typeof useCalendarPage<Search>>

/** The state of a calendar page: view, period, filters and navigation. */
export function useCalendarPage<Search extends CalendarSearch>({ search, onChange, defaultView, listHasPeriod }: Options<Search>) {
  const { view, ...layout } = useView(defaultView, search.view)
  const clock = useClock()
  const names = useNames()
  useEffect(() => {
    // Preloads the grid with the page. If that fails, rendering loads it again.
    if (view !== 'list') void loadGrid().catch(() => undefined)
  }, [view])
  const now = today(clock)
  const shown = search.day ?? now
  const { from, to } = daysShown(view, shown)
  const hasPeriod = listHasPeriod || view !== 'list'
  // Every page's search extends CalendarSearch.
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
    /** The current day, and the instants of the visible period. */
    shown,
    period: { from: beginningOf(from, clock.timeZone).toISOString(), to: beginningOf(to, clock.timeZone).toISOString() },
    /** Columns of the day view, if there is room. */
    by: view === 'day' && !layout.narrow ? (search.by ?? null) : null,
    /** The provider and room filters. */
    filtered: { providerId: search.provider ?? null, roomId: search.room ?? null },
    goTo,
    /** Undefined in a view without a period. */
    step: hasPeriod ? (by: 1 | -1) => goTo(stepFrom(view, shown, by)) : undefined,
    /** The day for a new booking unless one was selected: never a past day. */
    dayToBook: shown < now ? now : shown,
    /** Goes to the day of a saved booking if it is not visible. */
    showDayOf: ({ startsAt }: { startsAt: string }) => {
      const { day } = toLocal(startsAt, clock.timeZone)
      if (hasPeriod && !showsDay(view, shown, day)) goTo(day)
    },
  }
}

/** Returns the focus to an entry whose drawer was closed, after the calendar has rendered it again. */
export const restoreFocus = (id: string): void =>
  void setTimeout(() => document.activeElement === document.body && entryElement(id)?.focus())
