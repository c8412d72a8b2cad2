import { csvAnswer } from '../../server/csv-answer.ts'
import type { Scope } from '../../server/scope.ts'
import { csvLine } from '../../shared/csv.ts'
import { amountOfCents } from '../../shared/money.ts'
import { recordChange } from '../audit/service.ts'
import { ask, type Ask } from './ask-contract.ts'
import type { ReportAnswer } from './contract.ts'
import { definitionOf, type Measure } from './report-rules.ts'
import { runReport } from './service.ts'

/** GET /api/reports.csv with what is asked of a report: its figures and all its breakdowns as a file. */
export async function answerCsv(scope: Scope, request: Request): Promise<Response> {
  const parsed = ask.safeParse(Object.fromEntries(new URL(request.url).searchParams))
  if (!parsed.success) {
    const fields = Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.') || 'query', issue.message]))
    return Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
  }
  const answer = await runReport(scope, parsed.data)
  await recordChange(scope.db, scope, { action: 'exported', kind: 'report', contactIds: [], after: parsed.data })
  const lines = async function* () {
    yield linesOf(answer, parsed.data).join('')
  }
  return csvAnswer(fileName(answer), lines())
}

export const fileName = ({ report, now }: Pick<ReportAnswer, 'report' | 'now'>): string => `${report}-${now.from}-${now.to}.csv`

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
export function linesOf(answer: ReportAnswer, asked: Ask): string[] {
  const { title, measures, breakdowns } = definitionOf(asked.report)
  const { now, before } = answer
  return [
    csvLine([title]),
    csvLine(['Period', now.from, now.to]),
    csvLine(['Compared with', before.from, before.to]),
    csvLine([]),
    csvLine(['Figure', 'Period', 'Period before']),
    ...Object.entries(answer.figures).map(([key, figure]) =>
      csvLine([head(measures[key]!), cellOf(figure.now, measures[key]!), cellOf(figure.before, measures[key]!)]),
    ),
    ...answer.breakdowns.flatMap(({ key, rows }) => {
      const { of, columns } = breakdowns[key]!
      const first = columns[0]
      return [
        csvLine([]),
        csvLine([breakdowns[key]!.title]),
        csvLine([of, ...columns.map((column) => head(measures[column]!)), `${head(measures[first]!)}, before`]),
        ...rows.map((row) =>
          csvLine([
            row.name,
            ...columns.map((column) => cellOf(row.now[column] ?? null, measures[column]!)),
            row.before ? cellOf(row.before[first] ?? null, measures[first]!) : '',
          ]),
        ),
      ]
    }),
  ]
}
