import { useEffect } from 'react'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { type Clock, today } from '../../../../ui/format.ts'
import { useMedia, usePhone } from '../../../../ui/useMedia.ts'
import { prepareGrid } from './CalendarBody.tsx'
import type { View } from './calendar-search.ts'
import { showsDay, stepFrom } from './periods.ts'
import { entryElement } from './useFocusOnEntries.ts'

/** The views that a page has room for, in its order, and the one that it shows: seven columns are too many for a phone. */
export function useView(order: readonly View[], usual: View, wanted: View | undefined) {
  const phone = usePhone()
  const narrow = useMedia('(width < 60rem)')
  const views = phone ? order.filter((view) => view !== 'week') : order
  return { phone, narrow, views, view: views.find((one) => one === wanted) ?? (views.includes(usual) ? usual : 'list') }
}

interface Options {
  view: View
  /** The day that is shown. */
  shown: string
  clock: Clock
  /** Whether the list, too, has the days around the one that is shown; it may have all that is to come. */
  listHasDays: boolean
  /** The day of the address; undefined: today. */
  onDay: (day: string | undefined) => void
}

/** The days of a calendar's page: where it stands, how it goes on, and how it follows what was saved. */
export function useCalendarPage({ view, shown, clock, listHasDays, onDay }: Options) {
  useEffect(() => {
    if (view !== 'list') prepareGrid()
  }, [view])
  const now = today(clock)
  const hasDays = listHasDays || view !== 'list'
  const goTo = (day: string) => onDay(day === now ? undefined : day)
  return {
    now,
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
