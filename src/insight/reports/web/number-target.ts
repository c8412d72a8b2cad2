import { daysLater } from '../../../shared/zoned-time.ts'
import type { Client } from '../../../ui/client/api.ts'
import { type Condition, type FilterField, writeDays, writeFilter } from '../../../crm/contacts/filter.ts'
import type { ReportName } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'
import type { DayRange } from '../rules.ts'
import type { ReportsSearch, WebAsk } from './reports-search.ts'

/** A report as JSON: instants are ISO strings. */
export type ReportData = Awaited<ReturnType<Client['reports']['run']>>
export type BreakdownData = ReportData['breakdowns'][number]
export type RowData = BreakdownData['rows'][number]

/** A breakdown row by key; for time, also the next row. */
export interface Place {
  breakdown: string
  row: Pick<RowData, 'key'>
  next: Pick<RowData, 'key'> | undefined
}

type Opening = { patients: string } | { records: Pick<ReportsSearch, 'figure' | 'by' | 'row'> }

const maxTextLength = 200

/** Target of a number: patients if the list's filter can express them, otherwise records in a drawer. Null if nothing can be listed. */
export function openingOf(
  data: Pick<ReportData, 'report' | 'now'>,
  ask: WebAsk,
  measure: string,
  wonStages: readonly string[],
  place?: Place,
): Opening | null {
  if (definitionOf(data.report).measures[measure]?.isDerived) return null
  const patients = patientsFilter(data, ask, measure, wonStages, place)
  if (patients !== null) return { patients }
  return { records: { figure: measure, by: place?.breakdown, row: place?.row.key ?? undefined } }
}

/** Reports and measures for which the list shows the same patients: those added in the period, whatever happened since. */
const added: { [Name in ReportName]?: readonly string[] } = {
  leads: ['leads', 'rate', 'booked'],
  funnel: ['leads', 'inIt'],
  cohorts: ['leads'],
  return: ['leads', 'booked'],
}

function patientsFilter(
  { report, now }: Pick<ReportData, 'report' | 'now'>,
  ask: WebAsk,
  measure: string,
  wonStages: readonly string[],
  place?: Place,
): string | null {
  if (!added[report]?.includes(measure) || (measure === 'booked' && wonStages.length === 0)) return null
  const is = (field: FilterField, ...values: string[]): Condition => ({ field, not: false, values })
  const by = place?.breakdown
  const key = place?.row.key ?? null
  const isTime = by === 'time' || by === 'month' || by === 'quarter'
  const range: DayRange = isTime && key !== null ? { from: key, to: place?.next?.key ? daysLater(place.next.key, -1) : now.to } : now
  // Form texts without a procedure, and names too long for a filter, use the drawer.
  if (key !== null && (key.startsWith('~') || key.length > maxTextLength)) return null
  const parts: { [By in string]?: Condition } = {
    user: ask.user ? is('owner', ask.user) : undefined,
    source: ask.source ? is('source-group', ask.source) : undefined,
    procedure: ask.procedure ? is('procedure', ask.procedure) : undefined,
  }
  if (by === 'user') parts.user = is('owner', key ?? 'none')
  if (by === 'source' && key !== null) parts.source = is('source-group', key)
  if (by === 'procedure') parts.procedure = is('procedure', key ?? 'none')
  const stage = measure === 'booked' ? is('stage', ...wonStages) : by === 'stage' && key !== null ? is('stage', key) : undefined
  const conditions = [is('added', writeDays(range)), ...Object.values(parts), stage].filter((one) => one !== undefined)
  return writeFilter({ mode: 'all', conditions })
}
