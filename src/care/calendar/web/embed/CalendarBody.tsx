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

/** A time that was selected or dropped on, with the provider or room of its column if there are columns. */
export interface TimeSlot {
  startsAt: Date
  endsAt: Date
  column: { providerId: string | null } | { roomId: string | null } | null
}

/**
 * A selected time. If only a day was selected, `time` is ''. `minutes` is undefined for a day or a click, which use the default duration.
 */
export interface MarkedSlot {
  day: string
  time: string
  minutes: string | undefined
  column: TimeSlot['column']
}

interface CalendarBodyProps {
  page: CalendarPage
  view: 'month' | 'week' | 'day'
  /** Rooms of this kind have a column even without bookings; by default all rooms do. */
  roomKind?: RoomKind | undefined
  entries: readonly Entry[]
  /** Read-only entries of another calendar that occupy the same people and rooms, shown behind the entries. */
  background?: readonly Entry[] | undefined
  renderEvent: RenderEvent
  hours: readonly DayHours[]
  mayChange: boolean
  mayBook: boolean
  isBooking: boolean
  onOpen: (id: string) => void
  onMove: (id: string, slot: TimeSlot) => void
  onMark: (marked: MarkedSlot) => void
  onDay: (day: string) => void
}

/** Minutes selected by a click: one step of the calendar. */
const minMarkMinutes = 15

/** The calendar of a page, optionally with a column for each provider or room. */
export function CalendarBody({ page, view, roomKind, entries, onMove, onMark, ...rest }: CalendarBodyProps) {
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
    onMark({ day, time: isWholeDay ? '' : time, minutes: isDefault ? undefined : String(minutes), column: columnOf(place) })
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
        onMark={select}
      />
    </PageBoundary>
  )
}
