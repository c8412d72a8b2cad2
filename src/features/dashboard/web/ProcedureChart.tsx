import { Link } from '@tanstack/react-router'
import { cn } from '../../../web/ui/cn.ts'
import { formatCount, formatPercent } from '../../../web/ui/format.ts'
import { writeFilter } from '../../contacts/filter.ts'
import { ticksFor } from './axis.ts'
import { DataTable } from './DataTable.tsx'
import { ChartPanel } from './Panel.tsx'
import type { DashboardData } from './useDashboard.ts'

type Procedure = DashboardData['procedures'][number]
type Period = 'allTime' | 'last30Days'

/** As many as stay readable, which on a phone are three; the table has the others. */
const mostShown = 6
const titles = {
  allTime: 'Procedure Conversion Rates - All Time',
  last30Days: 'Procedure Conversion Rates - Last 30 Days',
} as const satisfies Record<Period, string>

const filterOf = (id: string, period: Period): string =>
  writeFilter({
    mode: 'all',
    conditions: [
      { field: 'procedure', not: false, values: [id] },
      ...(period === 'last30Days' ? [{ field: 'added' as const, not: false, values: ['last-30-days'] }] : []),
    ],
  }) ?? ''

/** Spec 2: which part of the leads of a procedure booked surgery. The same procedures in both charts, those most asked for. */
export function ProcedureChart({ procedures, period }: { procedures: readonly Procedure[]; period: Period }) {
  const shown = procedures.slice(0, mostShown)
  const more = procedures.length - shown.length
  return (
    <ChartPanel
      title={titles[period]}
      empty={procedures.length === 0 && 'No procedures yet'}
      chart={
        <>
          <p className="text-xs text-fg-3">
            Conversion Rate (%)
            {more > 0 && <span className="@max-lg:hidden">{` · the ${mostShown} most asked for of ${procedures.length}`}</span>}
          </p>
          <Bars procedures={shown} period={period} />
        </>
      }
      table={
        <DataTable
          caption={titles[period]}
          head={['Procedure', 'Leads', 'Booked surgery', 'Conversion Rate (%)']}
          rows={procedures.map(({ id, name, [period]: { total, booked, rate } }) => ({
            id,
            name,
            filter: filterOf(id, period),
            values: [formatCount(total), formatCount(booked), formatPercent(rate)],
          }))}
        />
      }
    />
  )
}

function Bars({ procedures, period }: { procedures: readonly Procedure[]; period: Period }) {
  const ticks = ticksFor(Math.max(...procedures.map(({ [period]: { rate } }) => rate)))
  const top = ticks.at(-1) ?? 1
  return (
    <div className="relative mt-4 pl-7">
      <div aria-hidden="true" className="absolute inset-x-0 top-5 h-40">
        {ticks.map((tick) => (
          <div key={tick} className="absolute inset-x-0" style={{ bottom: `${(tick / top) * 100}%` }}>
            <span className="absolute left-0 w-5 -translate-y-1/2 text-right text-xs text-fg-3 tabular-nums">{tick}</span>
            <span className={cn('absolute right-0 left-7 h-px', tick === 0 ? 'bg-line-2' : 'bg-(--chart-grid)')} />
          </div>
        ))}
      </div>
      <ul className="relative flex">
        {procedures.map(({ id, name, [period]: { total, booked, rate } }, index) => (
          <li key={id} className={cn('min-w-0 flex-1', index >= 4 ? '@max-lg:hidden' : index >= 3 && '@max-sm:hidden')}>
            <Link
              to="/contacts"
              search={{ filter: filterOf(id, period) }}
              aria-label={`${name}: ${rate}%, ${formatCount(booked)} of ${formatCount(total)}`}
              title={`${formatCount(booked)} of ${formatCount(total)} ${total === 1 ? 'lead' : 'leads'} booked surgery`}
              className="group/bar flex flex-col items-center rounded-sm"
            >
              <span className="flex h-45 w-full flex-col items-center justify-end">
                <span className="pb-0.5 text-xs leading-4 font-semibold text-fg tabular-nums">{`${rate}%`}</span>
                <span
                  className="w-7 rounded-t-xs bg-chart-1 transition-opacity duration-(--dur-1) group-hover/bar:opacity-85"
                  style={{ height: `${(rate / top) * 10}rem` }}
                />
              </span>
              {/* A long word may reach into the room that its neighbours leave. */}
              <span className="-mx-2 line-clamp-2 w-[calc(100%+1rem)] pt-2 text-center text-xs tracking-[-0.02em] text-balance hyphens-auto text-fg-2 [overflow-wrap:anywhere] group-hover/bar:text-accent-fg">
                {name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
