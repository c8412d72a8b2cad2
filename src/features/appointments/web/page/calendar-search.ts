/** The first is the one that a bare address opens. */
export const tabLabels = { appointments: 'Appointments', surgeries: 'Surgeries' } as const
export type Tab = keyof typeof tabLabels

export const viewLabels = { month: 'Month', week: 'Week', day: 'Day', list: 'List' } as const
export type View = keyof typeof viewLabels

export const columnLabels = { provider: 'By provider', room: 'By room' } as const
export type Columns = keyof typeof columnLabels

/** What the page shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface CalendarSearch {
  tab?: 'surgeries'
  view?: View
  /** A day of what is shown, 'yyyy-MM-dd'; today unless it is said. */
  day?: string
  /** A day in columns side by side. */
  by?: Columns
  provider?: string
  room?: string
  /** Those that were cancelled or missed, too. */
  all?: 'true'
  /** The appointment that is looked at. */
  appointment?: string
  /** The booking dialog opens. */
  book?: 'new'
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads an address that anybody may have typed. What makes no sense is said to be undefined: the router would take it as it stands. */
export function readCalendarSearch(from: Record<string, unknown>): CalendarSearch {
  const text = (key: string) => (typeof from[key] === 'string' ? from[key] : '')
  const id = (key: string) => (uuid.test(text(key)) ? text(key) : undefined)
  const known = <Value extends string>(key: string, labels: Record<Value, string>) =>
    (Object.keys(labels) as Value[]).find((value) => value === text(key))
  return {
    tab: text('tab') === 'surgeries' ? 'surgeries' : undefined,
    view: known('view', viewLabels),
    day: isDay(text('day')) ? text('day') : undefined,
    by: known('by', columnLabels),
    provider: id('provider'),
    room: id('room'),
    all: from.all === 'true' || from.all === true ? 'true' : undefined,
    appointment: id('appointment'),
    book: text('book') === 'new' ? 'new' : undefined,
  }
}

/** JavaScript takes February 30 for a day of March. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

export const isFiltered = ({ provider, room }: CalendarSearch): boolean => Boolean(provider ?? room)
