/** In display order. */
export const viewLabels = { day: 'Day', week: 'Week', month: 'Month', list: 'List' } as const
export type View = keyof typeof viewLabels
export const allViews = Object.keys(viewLabels) as View[]

export type Columns = 'provider' | 'room'

/** The URL state of a calendar, for sharing and the back button. Defaults are omitted. */
export interface CalendarSearch {
  view?: View
  /** A day in the visible period, 'yyyy-MM-dd'; today by default. */
  day?: string
  /** Columns of the day view. */
  by?: Columns
  /** The provider or the surgeon. */
  provider?: string
  room?: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Readers of untrusted URL parameters. Invalid values are undefined. */
export function readerOf(from: Record<string, unknown>) {
  const text = (key: string) => (typeof from[key] === 'string' ? from[key] : '')
  return {
    id: (key: string) => (uuid.test(text(key)) ? text(key) : undefined),
    oneOf: <Value extends string>(key: string, values: readonly Value[]) => values.find((value) => value === text(key)),
    isSet: (key: string) => (from[key] === 'true' || from[key] === true ? ('true' as const) : undefined),
    day: (key: string) => (isDay(text(key)) ? text(key) : undefined),
  }
}

/** Reads the URL state. Invalid values are set to undefined explicitly, because the router would keep them otherwise. */
export function readCalendarSearch(from: Record<string, unknown>): CalendarSearch {
  const { id, oneOf, day } = readerOf(from)
  return {
    view: oneOf('view', allViews),
    day: day('day'),
    by: oneOf('by', ['provider', 'room']),
    provider: id('provider'),
    room: id('room'),
  }
}

/** Rejects dates like February 30, which JavaScript parses as a day in March. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
