import { type CalendarSearch, readCalendarSearch, readerOf } from '../../../calendar/web/embed/calendar-search.ts'
import { type ShownStatus, shownStatuses } from '../../rules.ts'

/** What the page shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface SurgeriesSearch extends CalendarSearch {
  status?: ShownStatus
  /** Only surgeries that something is missing of. */
  missing?: 'true'
  /** The surgery that is looked at. */
  surgery?: string
  /** The item of its checklist that is looked for. */
  item?: string
  /** The booking dialog opens. */
  book?: 'new'
}

export function readSurgeriesSearch(from: Record<string, unknown>): SurgeriesSearch {
  const { id, known, isSet } = readerOf(from)
  return {
    ...readCalendarSearch(from),
    status: known('status', shownStatuses),
    missing: isSet('missing'),
    surgery: id('surgery'),
    item: id('item'),
    book: known('book', ['new']),
  }
}
