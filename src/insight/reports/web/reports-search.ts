import { isUuid } from '../../../shared/text.ts'
import { type ReportName, reportNames } from '../name-rules.ts'
import { type PeriodName, periodNames } from '../rules.ts'

/** What the page shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface ReportsSearch {
  report?: ReportName
  period?: PeriodName
  /** Of `custom`. */
  from?: string
  to?: string
  user?: string
  source?: string
  procedure?: string
  location?: string
  /** The saved report that was opened. */
  saved?: string
  /** Whose records are looked at: a figure, and of a breakdown the row; 'none' is the row without a key. */
  figure?: string
  by?: string
  row?: string
}

/** The first is the one that a bare address opens. */
export const firstReport: ReportName = 'leads'

/** Reads an address that anyone may have typed. What makes no sense is said to be undefined: the router would take it as it stands. */
export function readReportsSearch(from: Record<string, unknown>): ReportsSearch {
  const text = (key: string, most: number) => {
    const value = typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]).trim() : ''
    return value !== '' && value.length <= most && value.isWellFormed() && !value.includes('\0') ? value : undefined
  }
  const id = (key: string) => (isUuid(text(key, 36) ?? '') ? text(key, 36)?.toLowerCase() : undefined)
  const report = reportNames.find((name) => name === text('report', 20))
  const wanted = periodNames.find((name) => name === text('period', 20))
  const [first, last] = [text('from', 10), text('to', 10)]
  const isCustom = wanted === 'custom' && isDay(first) && isDay(last) && first! <= last!
  return {
    report: report === firstReport ? undefined : report,
    period: wanted === 'custom' && !isCustom ? undefined : wanted,
    from: isCustom ? first : undefined,
    to: isCustom ? last : undefined,
    user: id('user'),
    source: text('source', 200),
    procedure: id('procedure'),
    location: text('location', 200),
    saved: id('saved'),
    figure: text('figure', 40),
    by: text('by', 40),
    row: text('row', 400),
  }
}

/** JavaScript takes February 30 for a day of March. */
function isDay(text: string | undefined): boolean {
  const at = text && /^(19|20|21)\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text!)
}

/** What the API is asked for. */
export function askOf({ report, period, from, to, user, source, procedure, location }: ReportsSearch) {
  return { report: report ?? firstReport, period, from, to, user, source, procedure, location }
}
export type WebAsk = ReturnType<typeof askOf>

/** The address of what a saved report asks. */
export const searchOf = (ask: { [Key in keyof WebAsk]?: WebAsk[Key] }, saved?: string): ReportsSearch => ({
  report: ask.report === firstReport ? undefined : ask.report,
  period: ask.period,
  from: ask.from,
  to: ask.to,
  user: ask.user,
  source: ask.source,
  procedure: ask.procedure,
  location: ask.location,
  saved,
})

/** The address of another report of the same time and part of the practice. Whose it is stays behind: each report means someone else by it. */
export const switchedTo = (report: ReportName, { period, from, to, source, procedure, location }: ReportsSearch): ReportsSearch =>
  searchOf({ report, period, from, to, source, procedure, location })

/** Whether the two ask the same. */
export const isSameAsk = (a: object, b: object): boolean => {
  const [first, second] = [a, b].map((asked) => new Map(Object.entries(asked).filter(([, value]) => value !== undefined)))
  return first!.size === second!.size && [...first!].every(([key, value]) => second!.get(key) === value)
}

/** The address of the same numbers as a file. */
export function fileAddress(ask: WebAsk, format: 'csv' | 'xlsx' = 'csv'): string {
  const given = Object.entries(ask).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/api/reports.${format}?${new URLSearchParams(given)}`
}

export const periodLabels: Record<PeriodName, string> = {
  'last-7-days': 'Last 7 days',
  'last-30-days': 'Last 30 days',
  'last-90-days': 'Last 90 days',
  'last-12-months': 'Last 12 months',
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-quarter': 'This quarter',
  'last-quarter': 'Last quarter',
  'this-year': 'This year',
  'last-year': 'Last year',
  custom: 'Days',
}
