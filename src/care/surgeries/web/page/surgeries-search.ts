import { type CalendarSearch, readCalendarSearch, readerOf } from '../../../calendar/web/embed/calendar-search.ts'
import { type ShownStatus, shownStatuses } from '../../rules.ts'

/** The URL state of the page, for sharing and the back button. Defaults are omitted. */
export interface SurgeriesSearch extends CalendarSearch {
  status?: ShownStatus
  /** Only surgeries with missing items. */
  missing?: 'true'
  /** The surgery whose drawer is open. */
  surgery?: string
  /** The checklist item to focus. */
  item?: string
  /** Opens the booking dialog. */
  book?: 'new'
}

export function readSurgeriesSearch(from: Record<string, unknown>): SurgeriesSearch {
  const { id, oneOf, isSet } = readerOf(from)
  return {
    ...readCalendarSearch(from),
    status: oneOf('status', shownStatuses),
    missing: isSet('missing'),
    surgery: id('surgery'),
    item: id('item'),
    book: oneOf('book', ['new']),
  }
}
