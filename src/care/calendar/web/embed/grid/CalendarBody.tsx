import { lazy, useMemo } from 'react'
import type { DayHours, RoomKind } from '../../../../../platform/practice/rules.ts'
import { PageBoundary } from '../../../../../ui/layout/PageBoundary.tsx'
import { SkeletonRows } from '../../../../../ui/display/Skeleton.tsx'
import { toLocal } from '../../../../../shared/zoned-time.ts'
import type { CalendarActions, TimeSlot } from '../calendar-actions.ts'
import { columnsOf, type DayColumns, type Place } from './entries.ts'
import type { CalendarEvents } from './grid-content.tsx'
import { providerName, roomName } from '../names.ts'
import { type CalendarPage, loadGrid } from '../useCalendarPage.ts'

const CalendarGrid = lazy(loadGrid)

interface CalendarBodyProps {
  page: CalendarPage
  view: 'month' | 'week' | 'day'
  /** Rooms of this kind have a column even without bookings; by default all rooms do. */
  roomKind?: RoomKind | undefined
  events: CalendarEvents
  hours: readonly DayHours[]
  actions: CalendarActions
}

/** Minutes selected by a click: one step of the calendar. */
const minMarkMinutes = 15

/** The calendar of a page, optionally with a column for each provider or room. */
export function CalendarBody({ page, view, roomKind, events, hours, actions }: CalendarBodyProps) {
  const { entries } = events
  const { shown, search, by, names, clock } = page
  const columns = useMemo((): DayColumns | null => {
    if (by === null) return null
    const chosen = by === 'provider' ? search.provider : search.room
    // The filtered provider or room always has a column, even one that would otherwise only have a column when booked.
    const known =
      by === 'provider'
        ? names.providers
            .filter(({ id, role }) => (chosen ? id === chosen : role === 'provider'))
            .map(({ id, fullName }) => ({ id, name: fullName }))
        : names.rooms
            .filter(({ id, isActive, kind }) => (chosen ? id === chosen : isActive && (roomKind === undefined || kind === roomKind)))
            .map(({ id, name }) => ({ id, name }))
    const nameOf = (id: string) => (by === 'provider' ? providerName(id, names) : roomName(id, names)) ?? ''
    return { by, day: shown, columns: columnsOf(by, known, entries, nameOf) }
  }, [by, roomKind, names, search.provider, search.room, shown, entries])

  const columnOf = ({ column }: Place): TimeSlot['column'] =>
    by === null || !column ? null : by === 'provider' ? { providerId: column.id } : { roomId: column.id }
  function select(place: Place, isWholeDay: boolean) {
    const { day, time } = toLocal(place.startsAt, clock.timeZone)
    const minutes = (place.endsAt.getTime() - place.startsAt.getTime()) / 60_000
    const isDefault = isWholeDay || minutes <= minMarkMinutes
    actions.onMark({ day, time: isWholeDay ? '' : time, minutes: isDefault ? undefined : String(minutes), column: columnOf(place) })
  }

  return (
    <PageBoundary path={view} fallback={<SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" />}>
      <CalendarGrid
        view={view}
        day={shown}
        columns={columns}
        events={events}
        hours={hours}
        clock={clock}
        actions={{
          ...actions,
          onMove: (id, place) => actions.onMove(id, { startsAt: place.startsAt, endsAt: place.endsAt, column: columnOf(place) }),
          onMark: select,
        }}
      />
    </PageBoundary>
  )
}
