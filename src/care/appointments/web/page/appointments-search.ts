import { type CalendarSearch, readCalendarSearch, readerOf } from '../../../calendar/web/embed/calendar-search.ts'

/** The URL state of the appointments calendar. */
export interface AppointmentsSearch extends CalendarSearch {
  /** Includes cancelled and missed appointments. */
  all?: 'true'
  /** The appointment whose drawer is open. */
  appointment?: string
  /** Opens the booking dialog. */
  book?: 'new'
}

export function readAppointmentsSearch(from: Record<string, unknown>): AppointmentsSearch {
  const { id, isSet, oneOf } = readerOf(from)
  return { ...readCalendarSearch(from), all: isSet('all'), appointment: id('appointment'), book: oneOf('book', ['new']) }
}
