import { daysLater } from '../../../shared/zoned-time.ts'
import type { Client } from '../../../ui/client/api.ts'
import { type Condition, type FilterField, writeDays, writeFilter } from '../../../crm/contacts/filter.ts'
import type { ReportName } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'
import type { DayRange } from '../rules.ts'
import type { ReportsSearch, WebAsk } from './reports-search.ts'

/** A report as it arrives in the browser: instants are ISO strings. */
export type ReportData = Awaited<ReturnType<Client['reports']['run']>>
export type BreakdownData = ReportData['breakdowns'][number]
export type RowData = BreakdownData['rows'][number]

/** A row of a breakdown: its key; of time, also the row after it. */
export interface Place {
  breakdown: string
  row: Pick<RowData, 'key'>
  next: Pick<RowData, 'key'> | undefined
}

type Opening = { patients: string } | { records: Pick<ReportsSearch, 'figure' | 'by' | 'row'> }

const maxTextLength = 200

/** What stands behind a number: patients that the list's own filter can say, or else records in a drawer. Null: nothing that can be listed. */
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

/** Of which reports and measures the list shows the same patients: those who were added, whatever happened to them since. */
const added: { [Name in ReportName]?: readonly string[] } = {
  leads: ['leads', 'rate', 'booked'],
  funnel: ['leads', 'inIt'],
  cohorts: ['leads'],
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
  const isTime = by === 'time' || by === 'month'
  const range: DayRange = isTime && key !== null ? { from: key, to: place?.next?.key ? daysLater(place.next.key, -1) : now.to } : now
  // Words that a form said in place of a procedure, and names longer than a filter takes, are for the drawer.
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
