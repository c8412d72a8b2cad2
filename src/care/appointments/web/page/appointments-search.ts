import { type CalendarSearch, readCalendarSearch, readerOf } from '../../../calendar/web/embed/calendar-search.ts'

/** What the calendar of appointments shows, as it stands in the address. */
export interface AppointmentsSearch extends CalendarSearch {
  /** Those that were cancelled or missed, too. */
  all?: 'true'
  /** The appointment that is looked at. */
  appointment?: string
  /** The booking dialog opens. */
  book?: 'new'
}

export function readAppointmentsSearch(from: Record<string, unknown>): AppointmentsSearch {
  const { id, isSet, known } = readerOf(from)
  return { ...readCalendarSearch(from), all: isSet('all'), appointment: id('appointment'), book: known('book', ['new']) }
}
