import { isUuid } from '../../../shared/text.ts'
import { type ReportName, reportNames } from '../name-rules.ts'
import { type PeriodName, periodNames } from '../rules.ts'

/** Page state in the address: shareable, and used by the back button. Defaults are omitted. */
export interface ReportsSearch {
  report?: ReportName
  period?: PeriodName
  /** For `custom`. */
  from?: string
  to?: string
  user?: string
  source?: string
  procedure?: string
  location?: string
  /** The opened saved report. */
  saved?: string
  /** Open records: a figure, and the row of a breakdown; 'none' is the row without a key. */
  figure?: string
  by?: string
  row?: string
}

/** The first is the default. */
export const firstReport: ReportName = 'leads'

/** Parses an address that anyone may have typed. Invalid values become undefined explicitly: the router would keep them otherwise. */
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

/** JavaScript parses February 30 as a day in March. */
function isDay(text: string | undefined): boolean {
  const at = text && /^(19|20|21)\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text!)
}

/** API request. */
export function askOf({ report, period, from, to, user, source, procedure, location }: ReportsSearch) {
  return { report: report ?? firstReport, period, from, to, user, source, procedure, location }
}
export type WebAsk = ReturnType<typeof askOf>

/** Address of a saved report. */
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

/** Address of another report with the same period and filters, except the person, whose role differs by report. */
export const switchedTo = (report: ReportName, { period, from, to, source, procedure, location }: ReportsSearch): ReportsSearch =>
  searchOf({ report, period, from, to, source, procedure, location })

/** Whether both make the same request. */
export const isSameAsk = (a: object, b: object): boolean => {
  const [first, second] = [a, b].map((asked) => new Map(Object.entries(asked).filter(([, value]) => value !== undefined)))
  return first!.size === second!.size && [...first!].every(([key, value]) => second!.get(key) === value)
}

/** Address of the exported file. */
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
