/** In the order in which every page offers them. */
export const viewLabels = { day: 'Day', week: 'Week', month: 'Month', list: 'List' } as const
export type View = keyof typeof viewLabels
export const everyView = Object.keys(viewLabels) as View[]

export type Columns = 'provider' | 'room'

/** What a calendar shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface CalendarSearch {
  view?: View
  /** A day of what is shown, 'yyyy-MM-dd'; today unless it is said. */
  day?: string
  /** A day in columns side by side. */
  by?: Columns
  /** The provider or the surgeon. */
  provider?: string
  room?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What an address that anyone may have typed says. What makes no sense is undefined. */
export function readerOf(from: Record<string, unknown>) {
  const text = (key: string) => (typeof from[key] === 'string' ? from[key] : '')
  return {
    id: (key: string) => (uuid.test(text(key)) ? text(key) : undefined),
    known: <Value extends string>(key: string, values: readonly Value[]) => values.find((value) => value === text(key)),
    isSet: (key: string) => (from[key] === 'true' || from[key] === true ? ('true' as const) : undefined),
    day: (key: string) => (isDay(text(key)) ? text(key) : undefined),
  }
}

/** What makes no sense is said to be undefined: the router would take it as it stands. */
export function readCalendarSearch(from: Record<string, unknown>): CalendarSearch {
  const { id, known, day } = readerOf(from)
  return {
    view: known('view', everyView),
    day: day('day'),
    by: known('by', ['provider', 'room']),
    provider: id('provider'),
    room: id('room'),
  }
}

/** JavaScript takes February 30 for a day of March. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
