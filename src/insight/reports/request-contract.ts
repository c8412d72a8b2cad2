import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { filterNames, type FilterName, type ReportName, reportNames } from './name-rules.ts'
import { definitionOf } from './report-rules.ts'
import { type DayRange, lengthOf, maxDays, type PeriodName, periodNames } from './rules.ts'

const fields = {
  report: z.enum(reportNames, 'Choose a report'),
  period: z.enum(periodNames, 'Choose a period').optional(),
  /** Custom period: calendar days of the practice, inclusive. */
  from: calendarDay.optional(),
  to: calendarDay.optional(),
  /** A staff member; the report's definition says in which role. */
  user: requiredText(200, 'Choose a person').optional(),
  /** A display group of sources (spec 9), or a source by id or name, which stands for its group. */
  source: requiredText(200, 'Choose a source').optional(),
  /** By id or name, case-insensitive, like locations; people by id or email address. */
  procedure: requiredText(200, 'Choose a procedure').optional(),
  /** Location of rooms. */
  location: requiredText(200, 'Choose a location').optional(),
}

export const chosen = z.strictObject(fields)
/** A report request: report, period and filters. */
export type Ask = z.output<typeof chosen>

type Days = { period?: PeriodName | undefined; from?: string | undefined; to?: string | undefined }

/** The problem with a custom period, or null if valid. Malformed days are already refused. */
function problemOfDays({ period, from, to }: Days): { path: 'from' | 'to'; message: string } | null {
  if (period !== 'custom')
    return from === undefined && to === undefined
      ? null
      : { path: from === undefined ? 'to' : 'from', message: 'Choose days as the period' }
  if (typeof from !== 'string') return { path: 'from', message: 'Choose the first day' }
  if (typeof to !== 'string') return { path: 'to', message: 'Choose the last day' }
  if (to < from) return { path: 'to', message: 'The end must be after the start' }
  return lengthOf({ from, to }) > maxDays ? { path: 'to', message: `At most ${maxDays} days` } : null
}

export const rangeOf = ({ from, to }: Days): DayRange | null => (from && to ? { from, to } : null)

const isPartOf = (report: ReportName, filter: FilterName): boolean => definitionOf(report).filters[filter] !== undefined

type Checked = { report: ReportName } & Days & { [Name in FilterName]?: string | undefined }

/** Shared validation of every report request. */
export function checkAsk(asked: Checked, context: z.RefinementCtx): void {
  const days = problemOfDays(asked)
  if (days) context.addIssue({ code: 'custom', path: [days.path], message: days.message })
  for (const name of filterNames) {
    if (asked[name] !== undefined && reportNames.includes(asked.report) && !isPartOf(asked.report, name))
      context.addIssue({ code: 'custom', path: [name], message: 'This report does not have this filter' })
  }
}

export const ask = chosen.superRefine(checkAsk)
