import { Columns } from '../../../ui/charts/Columns.tsx'
import { ChartPanel } from '../../dashboard/web/embed/Panel.tsx'
import { definitionOf } from '../report-rules.ts'
import { stepFor } from '../rules.ts'
import { BreakdownTable } from './BreakdownTable.tsx'
import { NumberLink, type ReportContext } from './NumberLink.tsx'
import type { BreakdownData } from './number-target.ts'
import { formatDayLabel, inShort, formatFigure } from './values.ts'

/** A breakdown over time: first measure charted, all in the table. */
export function TimeChart({ context, breakdown }: { context: ReportContext; breakdown: BreakdownData }) {
  const { measures, breakdowns } = definitionOf(context.data.report)
  const { title, columns, time } = breakdowns[breakdown.key]!
  const [drawn] = columns
  const { label, unit } = measures[drawn]!
  const step = stepFor(time ?? 'fitting', context.data.now)
  const isEmpty = breakdown.rows.every(({ now }) => columns.every((key) => (now[key] ?? 0) === 0))
  return (
    <ChartPanel
      title={title}
      note={`${label}, by ${step}`}
      empty={isEmpty && 'No data for this period'}
      chart={
        <div className="mt-2">
          <Columns
            columns={breakdown.rows.map((row, index) => ({
              id: row.key ?? '',
              name: formatDayLabel(row.key ?? '', step).short,
              value: row.now[drawn] ?? 0,
              row,
              next: breakdown.rows[index + 1],
            }))}
            formatTick={(value) => inShort(value, unit)}
            formatLabel={(value) => inShort(value, unit)}
            renderLink={({ row, next, value }, { className, children }) => {
              const text = `${formatDayLabel(row.key ?? '', step).long}: ${formatFigure(value, unit)} ${label.toLowerCase()}`
              return (
                <NumberLink
                  context={context}
                  measure={drawn}
                  place={{ breakdown: breakdown.key, row, next }}
                  label={text}
                  title={text}
                  className={className}
                >
                  {children}
                </NumberLink>
              )
            }}
          />
        </div>
      }
      table={<BreakdownTable context={context} breakdown={breakdown} nameOf={(row) => formatDayLabel(row.key ?? '', step).long} />}
    />
  )
}
