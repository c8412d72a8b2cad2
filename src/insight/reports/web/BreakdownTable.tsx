import { cn } from '../../../ui/cn.ts'
import { StageName } from '../../../crm/pipeline/web/embed/StageName.tsx'
import { Panel, Nothing } from '../../dashboard/web/embed/Panel.tsx'
import { definitionOf } from '../report-rules.ts'
import { useStages } from './useStages.ts'
import { NumberLink, type ReportContext } from './NumberLink.tsx'
import type { BreakdownData, RowData } from './number-target.ts'
import { formatFigure } from './values.ts'

interface BreakdownTableProps {
  context: ReportContext
  breakdown: BreakdownData
  nameOf?: (row: RowData) => string
  /** For a breakdown by stage, all stages once loaded: each row has its ring. */
  stages?: ReturnType<typeof useStages>
  /** Charts the first measure next to its number. */
  withBars?: boolean
}

/**
 * A breakdown as a table: each number opens its records, and the first shows its previous value. Phones show two columns; the file has
 * all.
 */
export function BreakdownTable({ context, breakdown, nameOf = ({ name }) => name, stages = [], withBars = false }: BreakdownTableProps) {
  const { measures, breakdowns } = definitionOf(context.data.report)
  const { title, of, columns } = breakdowns[breakdown.key]!
  const [drawn] = columns
  const most = Math.max(1, ...breakdown.rows.map(({ now }) => Math.abs(now[drawn] ?? 0)))
  const whole = measures[drawn]!.unit === 'percent' ? Math.max(100, most) : most
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div className="max-h-120 overflow-auto" tabIndex={0} role="region" aria-label={title}>
      <table className="w-full text-sm">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <Head className="pl-0 text-left">{of}</Head>
            {withBars && <Head className="w-full @max-xl:hidden" />}
            {columns.map((key, column) => (
              <Head key={key} className={cn(column > 1 && '@max-md:hidden')}>
                {measures[key]!.label}
              </Head>
            ))}
            {!measures[drawn]!.isOfNow && <Head className="@max-md:hidden">Previous</Head>}
          </tr>
        </thead>
        <tbody>
          {breakdown.rows.map((row, index) => (
            <tr key={row.key ?? '\0none'} className="border-t border-line hover:bg-hover">
              <th scope="row" className="max-w-56 min-w-32 truncate py-2 text-left font-regular text-fg max-md:py-3">
                {stages.length > 0 ? <StageName stages={stages} id={row.key ?? ''} className="text-fg" /> : nameOf(row)}
              </th>
              {withBars && (
                <td aria-hidden="true" className="w-full min-w-24 pl-3 @max-xl:hidden">
                  <span
                    className={cn('block h-4 rounded-xs', (row.now[drawn] ?? 0) < 0 ? 'bg-chart-10' : 'bg-chart-1')}
                    style={{ width: row.now[drawn] ? `max(2px, ${(Math.abs(row.now[drawn]) / whole) * 100}%)` : 0 }}
                  />
                </td>
              )}
              {columns.map((key, column) => (
                <td
                  key={key}
                  className={cn(
                    'pl-4 text-right whitespace-nowrap tabular-nums',
                    column === 0 ? 'font-medium text-fg' : 'text-fg-2',
                    column > 1 && '@max-md:hidden',
                  )}
                >
                  <Value context={context} breakdown={breakdown} row={row} next={breakdown.rows[index + 1]} measure={key} />
                </td>
              ))}
              {!measures[drawn]!.isOfNow && (
                <td className="pl-4 text-right whitespace-nowrap text-fg-3 tabular-nums @max-md:hidden">
                  {row.before === null ? '' : formatFigure(row.before[drawn] ?? null, measures[drawn]!.unit)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {breakdown.isTruncated && <p className="pt-3 text-xs text-fg-3">{`The ${breakdown.rows.length} largest.`}</p>}
    </div>
  )
}

const Head = ({ className, children }: { className?: string; children?: string }) => (
  <th
    scope={children ? 'col' : undefined}
    aria-hidden={children ? undefined : true}
    className={cn('sticky top-0 bg-surface py-1.5 pl-4 text-right text-xs font-medium whitespace-nowrap text-fg-3', className)}
  >
    {children}
  </th>
)

interface ValueProps {
  context: ReportContext
  breakdown: BreakdownData
  row: RowData
  next: RowData | undefined
  measure: string
}

function Value({ context, breakdown, row, next, measure }: ValueProps) {
  const { label, unit } = definitionOf(context.data.report).measures[measure]!
  const value = row.now[measure] ?? null
  if (value === null) return <span className="text-fg-3">None</span>
  if (value === 0 && unit !== 'percent' && unit !== 'rate') return formatFigure(value, unit)
  return (
    <NumberLink
      context={context}
      measure={measure}
      place={{ breakdown: breakdown.key, row, next }}
      label={`${row.name}, ${label}: ${formatFigure(value, unit)}`}
    >
      {formatFigure(value, unit)}
    </NumberLink>
  )
}

/** A breakdown by name: the first measure as bars, all as numbers. */
export function NamesChart({ context, breakdown }: { context: ReportContext; breakdown: BreakdownData }) {
  const { title, columns } = definitionOf(context.data.report).breakdowns[breakdown.key]!
  const stages = useStages()
  const isEmpty = breakdown.rows.length === 0 || breakdown.rows.every(({ now }) => columns.every((key) => (now[key] ?? 0) === 0))
  return (
    <Panel title={title}>
      {isEmpty ? (
        <Nothing>No data for this period</Nothing>
      ) : (
        <BreakdownTable context={context} breakdown={breakdown} withBars stages={breakdown.key === 'stage' ? stages : []} />
      )}
    </Panel>
  )
}
