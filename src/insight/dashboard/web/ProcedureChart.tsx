import { Link } from '@tanstack/react-router'
import { Bars } from '../../../ui/charts/Bars.tsx'
import { formatCount, formatPercent } from '../../../ui/format.ts'
import { writeFilter } from '../../../crm/contacts/filter.ts'
import { DataTable } from './DataTable.tsx'
import { ChartPanel } from './embed/Panel.tsx'
import type { DashboardData } from './useDashboard.ts'

type Procedure = DashboardData['procedures'][number]
type Period = 'allTime' | 'last30Days'

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

/** Spec 2: percentage of leads that booked surgery per procedure, most leads first. */
export function ProcedureChart({ procedures, period }: { procedures: readonly Procedure[]; period: Period }) {
  return (
    <ChartPanel
      title={titles[period]}
      empty={procedures.length === 0 && 'No procedures yet'}
      chart={
        <>
          <p className="text-xs text-fg-3">Conversion Rate (%)</p>
          <div className="mt-4">
            <Bars
              bars={procedures.map(({ [period]: rates, ...procedure }) => ({
                ...procedure,
                rates,
                percent: rates.rate,
                note: `${formatCount(rates.booked)} of ${formatCount(rates.total)}`,
              }))}
              renderLink={({ id, name, rates: { total, booked, rate } }, column) => (
                <Link
                  to="/contacts"
                  search={{ filter: filterOf(id, period) }}
                  aria-label={`${name}: ${rate}%, ${formatCount(booked)} of ${formatCount(total)}`}
                  title={`${formatCount(booked)} of ${formatCount(total)} ${total === 1 ? 'lead' : 'leads'} booked surgery`}
                  {...column}
                />
              )}
            />
          </div>
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
