import { lazy, useMemo } from 'react'
import type { DayHours, RoomKind } from '../../../../platform/practice/rules.ts'
import { PageBoundary } from '../../../../ui/layout/PageBoundary.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { columnsOf, type DayColumns, type Place } from './entries.ts'
import type { Entry } from './entry.ts'
import type { RenderEvent } from './grid-content.tsx'
import { providerName, roomName } from './names.ts'
import { type CalendarPage, loadGrid } from './useCalendarPage.ts'

const CalendarGrid = lazy(loadGrid)

/** What was marked or dropped where: the column's provider or room, where there are columns. */
export interface TimeSlot {
  startsAt: Date
  endsAt: Date
  column: { providerId: string | null } | { roomId: string | null } | null
}

/** A time that was marked. `time` is '' and there is no length where a day alone was; a click means the usual length. */
export interface Marked {
  day: string
  time: string
  minutes: string | undefined
  column: TimeSlot['column']
}

interface CalendarBodyProps {
  page: CalendarPage
  view: 'month' | 'week' | 'day'
  /** Rooms of this kind have a column, too, where nothing is booked; else all. */
  roomKind?: RoomKind | undefined
  entries: readonly Entry[]
  /** What another calendar has and what takes up the same people and rooms: it stands behind the entries, to be seen alone. */
  beside?: readonly Entry[] | undefined
  renderEvent: RenderEvent
  hours: readonly DayHours[]
  mayChange: boolean
  mayBook: boolean
  isBooking: boolean
  onOpen: (id: string) => void
  onMove: (id: string, slot: TimeSlot) => void
  onMark: (marked: Marked) => void
  onDay: (day: string) => void
}

/** Minutes: a click marks as much as one step of the calendar. */
const shortestMark = 15

/** The calendar of a page, with a column for each provider or room where the page wants that. */
export function CalendarBody({ page, view, roomKind, entries, onMove, onMark, ...rest }: CalendarBodyProps) {
  const { shown, search, by, names, clock } = page
  const columns = useMemo((): DayColumns | null => {
    if (by === null) return null
    const chosen = by === 'provider' ? search.provider : search.room
    // Anyone who is chosen has a column, also who has none of their own unless something is booked.
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
  function marked(place: Place, isWholeDay: boolean) {
    const { day, time } = toLocal(place.startsAt, clock.timeZone)
    const minutes = (place.endsAt.getTime() - place.startsAt.getTime()) / 60_000
    const isUsual = isWholeDay || minutes <= shortestMark
    onMark({ day, time: isWholeDay ? '' : time, minutes: isUsual ? undefined : String(minutes), column: columnOf(place) })
  }

  return (
    <PageBoundary path={view} fallback={<SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" />}>
      <CalendarGrid
        {...rest}
        view={view}
        day={shown}
        columns={columns}
        entries={entries}
        clock={clock}
        onMove={(id, place) => onMove(id, { startsAt: place.startsAt, endsAt: place.endsAt, column: columnOf(place) })}
        onMark={marked}
      />
    </PageBoundary>
  )
}
