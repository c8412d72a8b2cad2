import { useNavigate } from '@tanstack/react-router'
import { Ring } from '../../../ui/charts/Ring.tsx'
import { cn } from '../../../ui/cn.ts'
import { formatCount } from '../../../ui/format.ts'
import type { SourceCount } from '../contract.ts'
import { DataTable, PatientsLink } from './DataTable.tsx'
import { percentOf } from './embed/measures.ts'
import { ChartPanel } from './embed/Panel.tsx'
import { filterOfSources, type SourceSlice, slicesOfSources } from './source-slices.ts'

/** Spec 2: 'Lead by Source', in the display groups and the ten colours of spec 9. */
export function SourceChart({ sources }: { sources: readonly SourceCount[] }) {
  const total = sources.reduce((sum, { count }) => sum + count, 0)
  const slices = slicesOfSources(sources)
  const navigate = useNavigate()
  return (
    <ChartPanel
      title="Lead by Source"
      empty={total === 0 && 'No leads yet'}
      chart={
        <div className="flex flex-1 flex-col items-center gap-x-6 gap-y-5 pt-2 @sm:flex-row">
          <Ring
            className="size-59 @sm:size-47"
            slices={slices.map(({ name, count, colour, filter }) => ({
              value: count,
              colour,
              label: percentOf(count, total),
              title: `${name}: ${formatCount(count)}, ${percentOf(count, total)}`,
              onOpen: filter === null ? undefined : () => void navigate({ to: '/contacts', search: { filter } }),
            }))}
          >
            <span className="text-2xl font-semibold text-fg tabular-nums">{formatCount(total)}</span>
            <span className="text-xs text-fg-3">{total === 1 ? 'lead' : 'leads'}</span>
          </Ring>
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

const grounds = [
  'bg-chart-1',
  'bg-chart-2',
  'bg-chart-3',
  'bg-chart-4',
  'bg-chart-5',
  'bg-chart-6',
  'bg-chart-7',
  'bg-chart-8',
  'bg-chart-9',
  'bg-chart-10',
]

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
