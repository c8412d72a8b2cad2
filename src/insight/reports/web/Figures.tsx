import { cn } from '../../../ui/cn.ts'
import { definitionOf, type Measure } from '../report-rules.ts'
import { NumberLink, type ReportContext } from './NumberLink.tsx'
import { differenceOf, formatFigure } from './values.ts'

/** The report's figures, each with its previous value. */
export function Figures({ context }: { context: ReportContext }) {
  const { figures, measures } = definitionOf(context.data.report)
  return (
    <dl className={cn('grid grid-cols-2 overflow-hidden rounded-lg border border-line', columns[figures.length])}>
      {figures.map((key) => {
        const { now = null, before = null } = context.data.figures[key] ?? {}
        return (
          // Hairlines at the top and left of each; the outer ones are hidden by the border.
          <div
            key={key}
            className="relative -mt-px -ml-px border-t border-l border-line px-4 pt-3.5 pb-3 max-md:last:odd:col-span-2 md:px-4.5"
          >
            <dt className="truncate text-sm text-fg-2">{measures[key]!.label}</dt>
            <dd
              className={cn(
                'pt-0.5 font-semibold whitespace-nowrap tabular-nums',
                sizeOf(measures[key]!),
                now === null ? 'text-fg-3' : 'text-fg',
              )}
            >
              <NumberLink
                context={context}
                measure={key}
                label={`${measures[key]!.label}: ${formatFigure(now, measures[key]!.unit)}`}
                className="static after:absolute after:inset-0 after:size-auto after:translate-x-0 after:translate-y-0 hover:no-underline"
              >
                {formatFigure(now, measures[key]!.unit)}
              </NumberLink>
            </dd>
            <dd className="truncate pt-1 text-xs text-fg-3 tabular-nums">
              {!measures[key]!.isOfNow && <Difference measure={measures[key]!} now={now} before={before} />}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const columns: Record<number, string> = { 3: '@3xl:grid-cols-3', 4: '@3xl:grid-cols-4', 5: '@3xl:grid-cols-5' }
/** On a phone, two amounts in the millions do not fit side by side at count size. */
const sizeOf = ({ unit }: Measure): string => (unit === 'money' || unit === 'seconds' ? 'text-xl @3xl:text-2xl' : 'text-2xl @3xl:text-3xl')
const tones = { good: 'font-medium text-success-fg', bad: 'font-medium text-danger-fg', same: '' }

function Difference({ measure, now, before }: { measure: Measure; now: number | null; before: number | null }) {
  const difference = differenceOf(measure, now, before)
  const was = `${formatFigure(before, measure.unit)} in the previous period`
  if (!difference) return <span title={was}>{before === null || before === 0 ? 'none before' : was}</span>
  const { text, tone } = difference
  return (
    <span title={was}>
      <span className={tones[tone]}>{text.startsWith('Same') || text.startsWith('±') ? 'As before' : text}</span>
      {`, was ${formatFigure(before, measure.unit)}`}
    </span>
  )
}
