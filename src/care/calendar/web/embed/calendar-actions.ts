import type { Place } from './grid/entries.ts'

/** A time that was selected or dropped on, with the provider or room of its column if there are columns. */
export interface TimeSlot {
  startsAt: Date
  endsAt: Date
  column: { providerId: string | null } | { roomId: string | null } | null
}

/**
 * A selected time. If only a day was selected, `time` is ''. `minutes` is undefined for a day or a click, which use the default duration.
 */
interface MarkedSlot {
  day: string
  time: string
  minutes: string | undefined
  column: TimeSlot['column']
}

interface CommonActions {
  mayChange: boolean
  mayBook: boolean
  /** The booking dialog is open: the selected time stays selected. */
  isBooking: boolean
  onOpen: (id: string) => void
  onDay: (day: string) => void
}

/** What the user can do in the calendar. */
export interface CalendarActions extends CommonActions {
  onMove: (id: string, slot: TimeSlot) => void
  onMark: (marked: MarkedSlot) => void
}

/** The same in the terms of the grid, whose columns are places. */
export interface GridActions extends CommonActions {
  onMove: (id: string, place: Place) => void
  /** A time was selected, or a whole day. */
  onMark: (place: Place, isWholeDay: boolean) => void
}
