import { useNavigate } from '@tanstack/react-router'
import { cn } from '../../../web/ui/cn.ts'
import { formatCount } from '../../../web/ui/format.ts'
import type { SourceCount } from '../contract.ts'
import { DataTable, PatientsLink } from './DataTable.tsx'
import { percentOf } from './measures.ts'
import { ChartPanel } from './Panel.tsx'
import { slicesOf } from './ring.ts'
import { filterOfSources, type SourceSlice, slicesOfSources } from './source-slices.ts'

/** Spec 2: 'Lead by Source', in the display groups and the ten colours of spec 9. */
export function SourceChart({ sources }: { sources: readonly SourceCount[] }) {
  const total = sources.reduce((sum, { count }) => sum + count, 0)
  const slices = slicesOfSources(sources)
  return (
    <ChartPanel
      title="Lead by Source"
      empty={total === 0 && 'No leads yet'}
      chart={
        <div className="flex flex-1 flex-col items-center gap-x-6 gap-y-5 pt-2 @sm:flex-row">
          <Ring slices={slices} total={total} />
          <Legend slices={slices} total={total} />
        </div>
      }
      table={
        <DataTable
          caption="Leads by source"
          head={['Source', 'Leads', 'Share']}
          rows={sources.map(({ group, count }) => ({
            id: group,
            name: group,
            filter: filterOfSources([group]),
            values: [formatCount(count), percentOf(count, total)],
          }))}
        />
      }
    />
  )
}

const [outer, inner] = [100, 58]
/** A slice that is smaller has no room for its label. */
const leastLabelled = 0.065

const fills = [
  'fill-chart-1', 'fill-chart-2', 'fill-chart-3', 'fill-chart-4', 'fill-chart-5',
  'fill-chart-6', 'fill-chart-7', 'fill-chart-8', 'fill-chart-9', 'fill-chart-10',
] // biome-ignore format: a list reads better in rows
const grounds = [
  'bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4', 'bg-chart-5',
  'bg-chart-6', 'bg-chart-7', 'bg-chart-8', 'bg-chart-9', 'bg-chart-10',
] // biome-ignore format: a list reads better in rows

/** As tokens.css says: which colours take light ink, and which do in the dark. */
const inkOf = (colour: number): string =>
  cn(
    [4, 6, 10].includes(colour) ? 'fill-(--chart-ink-dark)' : 'fill-(--chart-ink-light)',
    [3, 5, 7, 10].includes(colour) ? 'dark:fill-(--chart-ink-light)' : 'dark:fill-(--chart-ink-dark)',
  )

/** For the eye and the pointer: the legend beside it says the same to everybody, and is what the keyboard goes through. */
function Ring({ slices, total }: { slices: readonly SourceSlice[]; total: number }) {
  const navigate = useNavigate()
  const drawn = slicesOf(
    slices.map(({ count }) => count),
    outer,
    inner,
  )
  return (
    <div className="relative size-59 flex-none @sm:size-47">
      <svg aria-hidden="true" viewBox="-101 -101 202 202" className="size-full">
        {slices.map(({ name, count, colour, filter }, index) => (
          <g
            key={name}
            className={cn('transition-opacity duration-(--dur-1)', filter !== null && 'cursor-pointer hover:opacity-85')}
            onClick={() => filter !== null && void navigate({ to: '/contacts', search: { filter } })}
          >
            <title>{`${name}: ${formatCount(count)}, ${percentOf(count, total)}`}</title>
            <path d={drawn[index]?.path} className={cn('stroke-surface', fills[colour - 1])} strokeWidth={slices.length > 1 ? 2 : 0} />
            {count / total >= leastLabelled && (
              <text
                x={drawn[index]?.middle.x}
                y={drawn[index]?.middle.y}
                dy="0.35em"
                textAnchor="middle"
                className={cn('hidden text-xs font-semibold tabular-nums @sm:block', inkOf(colour))}
              >
                {percentOf(count, total)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <p className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center">
        <span className="text-2xl font-semibold text-fg tabular-nums">{formatCount(total)}</span>
        <span className="text-xs text-fg-3">{total === 1 ? 'lead' : 'leads'}</span>
      </p>
    </div>
  )
}

function Legend({ slices, total }: { slices: readonly SourceSlice[]; total: number }) {
  return (
    <table className="w-full text-sm @sm:w-auto @sm:flex-1">
      <caption className="sr-only">Leads by source</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Leads</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {slices.map(({ name, count, colour, filter }) => (
          <tr key={name}>
            {/* oxlint-disable-next-line control-has-associated-label -- the name is in it */}
            <th scope="row" className="w-full max-w-0 py-2.5 text-left font-regular text-fg-2 @sm:py-0.5">
              <span className="flex items-center gap-2">
                <span aria-hidden="true" className={cn('size-2.5 flex-none rounded-[2px]', grounds[colour - 1])} />
                <span className="truncate">{filter === null ? name : <PatientsLink filter={filter}>{name}</PatientsLink>}</span>
              </span>
            </th>
            <td className="pl-3 text-right text-fg tabular-nums">{formatCount(count)}</td>
            <td className="w-12 pl-2 text-right text-fg-3 tabular-nums">{percentOf(count, total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
