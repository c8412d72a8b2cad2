import { recordPrint } from '../../../platform/audit/web/embed/record-print.ts'
import { PrintHead } from '../../../ui/layout/PrintHead.tsx'
import { useClock, useSession } from '../../../ui/client/session.ts'
import { formatDateTime, formatDay } from '../../../ui/format.ts'
import { PrintSheet } from '../../../ui/display/PrintSheet.tsx'
import { formatEstimate } from '../estimate-rules.ts'
import { filterNames } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'
import { stepFor } from '../rules.ts'
import type { ReportData } from './number-target.ts'
import type { WebAsk } from './reports-search.ts'
import { useChoices } from './useReport.ts'
import { formatDayLabel, formatFigure } from './values.ts'

const recordReportPrint = () => recordPrint('report')

/** Print layout: figures and every breakdown as tables, black on white. */
export function PrintedReport({ data, ask, name }: { data: ReportData; ask: WebAsk; name: string | undefined }) {
  const clock = useClock()
  const { user } = useSession()
  const { data: choices } = useChoices()
  const { title, says, figures, measures, breakdowns, filters } = definitionOf(data.report)
  const on = filterNames.flatMap((filter) => {
    const value = ask[filter]
    const named = [...(choices?.people ?? []), ...(choices?.procedures ?? [])].find(({ id }) => id === value)?.name
    return value === undefined ? [] : [`${filters[filter]}: ${named ?? value}`]
  })
  return (
    <PrintSheet wide onPrint={recordReportPrint}>
      <PrintHead title={name ?? title} />
      <p className="pt-1 text-md">{`${formatDay(data.now.from)} to ${formatDay(data.now.to)}, compared with ${formatDay(data.before.from)} to ${formatDay(data.before.to)}`}</p>
      {on.length > 0 && <p className="text-sm">{on.join(' · ')}</p>}
      <p className="pt-2 text-xs">{[says, formatEstimate(data.part)].filter(Boolean).join(' ')}</p>
      <Sheet
        head={['', 'Period', 'Previous period']}
        rows={figures.map((key) => [
          measures[key]!.label,
          formatFigure(data.figures[key]?.now ?? null, measures[key]!.unit),
          formatFigure(data.figures[key]?.before ?? null, measures[key]!.unit),
        ])}
      />
      {data.breakdowns
        .filter(({ rows }) => rows.length > 0)
        .map(({ key, rows }) => {
          const { title: heading, of, columns, time } = breakdowns[key]!
          const step = stepFor(time ?? 'fitting', data.now)
          return (
            <section key={key}>
              <h2 className="break-after-avoid pt-6 pb-1 text-lg font-semibold">{heading}</h2>
              <Sheet
                head={[of, ...columns.map((column) => measures[column]!.label)]}
                rows={rows.map((row) => [
                  time ? formatDayLabel(row.key ?? '', step).long : row.name,
                  ...columns.map((column) => formatFigure(row.now[column] ?? null, measures[column]!.unit)),
                ])}
              />
            </section>
          )
        })}
      <p className="pt-8 text-xs">{`Printed ${formatDateTime(clock.now, clock)} by ${user?.fullName}`}</p>
    </PrintSheet>
  )
}

const Sheet = ({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) => (
  <table className="w-full text-sm">
    <thead>
      <tr>
        {head.map((label, index) => (
          <th key={label} className={index === 0 ? 'py-1 text-left' : 'py-1 pl-3 text-right'}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, place) => (
        // oxlint-disable-next-line no-array-index-key -- two people may have one name, and rows never reorder
        <tr key={place} className="break-inside-avoid border-t">
          {cells.map((cell, index) => (
            // oxlint-disable-next-line no-array-index-key -- columns never reorder
            <td key={index} className={index === 0 ? 'py-1' : 'py-1 pl-3 text-right whitespace-nowrap tabular-nums'}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
