import { type AppointmentsSearch, readAppointmentsSearch } from '../../../appointments/web/embed/appointments-search.ts'
import { readerOf } from '../../../calendar/web/embed/calendar-search.ts'
import { type ShownStatus, shownStatuses } from '../../rules.ts'

/** The first is the one that a bare address opens. */
export const tabLabels = { surgeries: 'Surgeries', appointments: 'Appointments' } as const
export type Tab = keyof typeof tabLabels

/** What the page shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface SurgeriesSearch extends AppointmentsSearch {
  tab?: 'appointments'
  status?: ShownStatus
  /** Only surgeries that something is missing of. */
  missing?: 'true'
  /** The surgery that is looked at. */
  surgery?: string
}

/** Reads an address that anybody may have typed. An appointment that is looked at stands among its own. */
export function readSurgeriesSearch(from: Record<string, unknown>): SurgeriesSearch {
  const { id, known, isSet } = readerOf(from)
  const appointments = readAppointmentsSearch(from)
  return {
    ...appointments,
    tab: from.tab === 'appointments' || appointments.appointment !== undefined ? 'appointments' : undefined,
    status: known('status', shownStatuses),
    missing: isSet('missing'),
    surgery: id('surgery'),
  }
}
