import { Columns } from '../../../ui/charts/Columns.tsx'
import { ChartPanel } from '../../dashboard/web/embed/Panel.tsx'
import { definitionOf } from '../report-rules.ts'
import { stepOf } from '../rules.ts'
import { BreakdownTable } from './BreakdownTable.tsx'
import { NumberLink, type Around } from './NumberLink.tsx'
import type { BreakdownData } from './opening.ts'
import { formatDayLabel, inShort, formatFigure } from './values.ts'

/** A breakdown over time: its first measure drawn, all of them in the table. */
export function TimeChart({ around, breakdown }: { around: Around; breakdown: BreakdownData }) {
  const { measures, breakdowns } = definitionOf(around.data.report)
  const { title, columns, time } = breakdowns[breakdown.key]!
  const [drawn] = columns
  const { label, unit } = measures[drawn]!
  const step = time === 'month' ? 'month' : stepOf(around.data.now)
  const isEmpty = breakdown.rows.every(({ now }) => columns.every((key) => (now[key] ?? 0) === 0))
  return (
    <ChartPanel
      title={title}
      note={`${label}, by ${step}`}
      empty={isEmpty && 'Nothing in this period'}
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
              const said = `${formatDayLabel(row.key ?? '', step).long}: ${formatFigure(value, unit)} ${label.toLowerCase()}`
              return (
                <NumberLink
                  around={around}
                  measure={drawn}
                  place={{ breakdown: breakdown.key, row, next }}
                  label={said}
                  title={said}
                  className={className}
                >
                  {children}
                </NumberLink>
              )
            }}
          />
        </div>
      }
      table={<BreakdownTable around={around} breakdown={breakdown} nameOf={(row) => formatDayLabel(row.key ?? '', step).long} />}
    />
  )
}
