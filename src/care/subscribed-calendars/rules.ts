export const calendarLimits = {
  /** Calendars of the practice in all. */
  all: 100,
  /** In bytes. */
  size: 5 * 1024 * 1024,
  /** Entries of one calendar. */
  events: 20_000,
  /** Repetitions that are looked at in one calendar. */
  repetitions: 50_000,
  /** Busy times of one calendar that are kept. */
  busy: 10_000,
  /** Days ahead that are read, as far as openings are searched. */
  days: 367,
} as const

/** Why a calendar could not be read; the busy times that were read before stay. */
export const calendarProblems = [
  'address',
  'unreachable',
  'refused',
  'too-large',
  'not-a-calendar',
  'too-complex',
  'reconnect',
  'no-access',
] as const
export type CalendarProblem = (typeof calendarProblems)[number]

/** Calendar programs give addresses that begin with webcal, which are read by https. */
export const withHttps = (url: string): string => url.trim().replace(/^webcals?:\/\//i, 'https://')
