import { invalid } from '../../server/list-export.ts'
import type { Scope } from '../../server/scope.ts'
import { formatIn, tableAnswer } from '../../server/table-answer.ts'
import type { Cells } from '../../shared/csv.ts'
import { amountOfCents } from '../../shared/money.ts'
import { recordChange } from '../audit/service.ts'
import { ask, type Ask } from './ask-contract.ts'
import type { ReportAnswer } from './contract.ts'
import { definitionOf, type Measure } from './report-rules.ts'
import { runReport } from './service.ts'

/** GET /api/reports.csv or .xlsx with what is asked of a report: its figures and all its breakdowns as a file. */
export async function answerTable(scope: Scope, request: Request): Promise<Response> {
  const parsed = ask.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!parsed.success) return invalid(parsed.error)
  const answer = await runReport(scope, parsed.data)
  await recordChange(scope.db, scope, { action: 'exported', kind: 'report', contactIds: [], after: parsed.data })
  const rows = async function* () {
    yield rowsOf(answer, parsed.data)
  }
  return tableAnswer({ name: fileName(answer), format: formatIn(request), rows: rows() })
}

export const fileName = ({ report, now }: Pick<ReportAnswer, 'report' | 'now'>): string => `${report}-${now.from}-${now.to}`

/** Amounts in dollars with cents, times in seconds, shares in percent: what a spreadsheet reckons with. */
const cellOf = (value: number | null, { unit }: Measure): string =>
  value === null
    ? ''
    : unit === 'money'
      ? amountOfCents(value).toFixed(2)
      : String(unit === 'days' ? Math.round(value * 10) / 10 : unit === 'seconds' ? Math.round(value) : value)

const head = ({ label, unit }: Measure): string =>
  unit === 'percent' ? `${label} (%)` : unit === 'seconds' ? `${label} (seconds)` : unit === 'money' ? `${label} ($)` : label

/** One table beneath the other, an empty line between: what it is, the figures, then each breakdown. */
export function rowsOf(answer: ReportAnswer, asked: Ask): Cells[] {
  const { title, measures, breakdowns } = definitionOf(asked.report)
  const { now, before } = answer
  return [
    [title],
    ['Period', now.from, now.to],
    ['Compared with', before.from, before.to],
    [],
    ['Figure', 'Period', 'Period before'],
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
