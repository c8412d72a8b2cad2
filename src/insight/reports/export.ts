import type { Db } from '../../kernel/postgres/database.ts'
import { invalid } from '../../platform/list-export.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { formatIn, spreadsheetResponse } from '../../kernel/http/spreadsheet-response.ts'
import type { Cells } from '../../shared/csv.ts'
import { amountOfCents } from '../../shared/money.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { ask, type Ask } from './request-contract.ts'
import { notForRole, type ReportAnswer } from './contract.ts'
import { formatEstimate } from './estimate-rules.ts'
import { filterNames } from './name-rules.ts'
import { withKnownFilters } from './resolve-filters.ts'
import { mayReadReport } from './policy.ts'
import { readNames } from './names.ts'
import { definitionOf, type Measure } from './report-rules.ts'
import { runReport } from './service.ts'

/** GET /api/reports.csv or .xlsx: figures and all breakdowns of a report as a file. */
export async function tableResponse(scope: Scope, request: Request): Promise<Response> {
  const parsed = ask.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!parsed.success) return invalid(parsed.error)
  if (!mayReadReport(staff(scope), parsed.data.report)) return Response.json({ code: 'NOT_FOUND', message: notForRole }, { status: 404 })
  const answer = await runReport(scope, parsed.data)
  await recordChange(scope.db, scope, { action: 'exported', kind: 'report', contactIds: [], after: parsed.data })
  const filters = await filtersOf(scope.db, parsed.data)
  const rows = async function* () {
    yield rowsOf(answer, parsed.data, filters)
  }
  return spreadsheetResponse({ name: fileName(answer), format: formatIn(request), rows: rows() })
}

export const fileName = ({ report, now }: Pick<ReportAnswer, 'report' | 'now'>): string => `${report}-${now.from}-${now.to}`

/** Values for spreadsheets: dollars with cents, times in seconds, shares in percent, multiples as they are. */
const cellOf = (value: number | null, { unit }: Measure): string =>
  value === null
    ? ''
    : unit === 'money'
      ? amountOfCents(value).toFixed(2)
      : String(unit === 'days' ? Math.round(value * 10) / 10 : unit === 'seconds' ? Math.round(value) : value)

const head = ({ label, unit }: Measure): string =>
  unit === 'percent' || unit === 'rate'
    ? `${label} (%)`
    : unit === 'seconds'
      ? `${label} (seconds)`
      : unit === 'money'
        ? `${label} ($)`
        : unit === 'times'
          ? `${label} (×)`
          : label

/** Active filters as label and value: ['Sales rep', 'Anna Novak']. */
export type FilterLabels = [label: string, value: string]

export async function filtersOf(db: Db, given: Ask): Promise<FilterLabels[]> {
  const asked = await withKnownFilters(db, given)
  const { filters } = definitionOf(asked.report)
  const { staff, procedure } = await readNames(db)
  return filterNames.flatMap((name): FilterLabels[] => {
    const value = asked[name]
    return value === undefined ? [] : [[filters[name] ?? name, staff.get(value) ?? procedure.get(value) ?? value]]
  })
}

/** Tables separated by an empty line: title and filters, figures, then each breakdown. */
export function rowsOf(answer: ReportAnswer, asked: Ask, filters: readonly FilterLabels[]): Cells[] {
  const { title, measures, breakdowns } = definitionOf(asked.report)
  const { now, before } = answer
  const estimate = formatEstimate(answer.part)
  return [
    [title],
    ['Period', now.from, now.to],
    ['Compared with', before.from, before.to],
    ...filters,
    ...(estimate ? [[estimate]] : []),
    [],
    ['Figure', 'Period', 'Previous period'],
    ...Object.entries(answer.figures).map(([key, figure]) => [
      head(measures[key]!),
      cellOf(figure.now, measures[key]!),
      cellOf(figure.before, measures[key]!),
    ]),
    ...answer.breakdowns.flatMap(({ key, rows }) => {
      const { of, columns } = breakdowns[key]!
      const first = columns[0]
      return [
        [],
        [breakdowns[key]!.title],
        [of, ...columns.map((column) => head(measures[column]!)), `${head(measures[first]!)}, before`],
        ...rows.map((row) => [
          row.name,
          ...columns.map((column) => cellOf(row.now[column] ?? null, measures[column]!)),
          row.before ? cellOf(row.before[first] ?? null, measures[first]!) : '',
        ]),
      ]
    }),
  ]
}
