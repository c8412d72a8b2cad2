import { type ReactNode, useEffect } from 'react'
import { messageOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useClock } from '../../../ui/client/session.ts'
import { prepareCharts } from '../../../ui/charts/useRecharts.ts'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { formatTime } from '../../../ui/format.ts'
import { FormsToReview } from '../../../chart/forms/web/embed/FormsToReview.tsx'
import { LeadsToCompleteNotice } from '../../../crm/leads/web/embed/LeadsToComplete.tsx'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'
import { FunnelChart } from './FunnelChart.tsx'
import { SplitRow, Wing } from './SplitRow.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { OverdueTasks } from './OverdueTasks.tsx'
import { ProcedureChart } from './ProcedureChart.tsx'
import { RecentActivity } from './RecentActivity.tsx'
import { SourceChart } from './SourceChart.tsx'
import { type DashboardData, useDashboard } from './useDashboard.ts'

/** The dashboard (spec 2). */
export default function DashboardPage(): ReactNode {
  const { query, refresh } = useDashboard()
  const { timeZone } = useClock()
  const { data, error, isFetching, dataUpdatedAt, isRefetchError } = query
  useEffect(prepareCharts, [])

  return (
    <div className="@container min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="dashboard">
      <TopbarTitle title="Dashboard" />
      <div className="flex flex-col gap-5 px-4 pt-3.5 pb-8 md:px-6">
        <div className="flex min-h-5 flex-wrap items-baseline justify-between gap-x-4 text-sm text-fg-3">
          <p>Overview of sales pipeline and performance</p>
          {/* Announces loading to screen readers; the live status is not announced because it repeats. */}
          <p role={data ? undefined : 'status'} className="text-xs tabular-nums">
            {data && `${isRefetchError ? 'Not updated since' : 'Live, updated'} ${formatTime(dataUpdatedAt, timeZone)}`}
            {!data && !error && 'Loading dashboard...'}
          </p>
        </div>
        <LeadsToCompleteNotice />
        <FormsToReview />
        {data ? (
          <Dashboard data={data} onChanged={refresh} />
        ) : error ? (
          <ErrorState title="Couldn’t load the dashboard" onRetry={() => void query.refetch()} retrying={isFetching} className="py-24">
            {messageOf(error)}
          </ErrorState>
        ) : (
          <DashboardSkeleton />
        )}
      </div>
    </div>
  )
}

function Dashboard({ data, onChanged }: { data: DashboardData; onChanged: () => Promise<void> }) {
  const clock = useClock()
  return (
    <>
      <KeyFigures data={data} clock={clock} />
      <SplitRow sides="2fr 3fr">
        <Wing>
          <SourceChart sources={data.sources} />
        </Wing>
        <Wing>
          <FunnelChart stages={data.stages} />
        </Wing>
      </SplitRow>
      <SplitRow>
        <Wing>
          <OverdueTasks overdue={data.overdue} clock={clock} onChanged={onChanged} />
        </Wing>
        <Wing>
          <RecentActivity activity={data.activity} stages={data.stages} clock={clock} />
        </Wing>
      </SplitRow>
      <SplitRow>
        <Wing>
          <ProcedureChart period="allTime" procedures={data.procedures} />
        </Wing>
        <Wing>
          <ProcedureChart period="last30Days" procedures={data.procedures} />
        </Wing>
      </SplitRow>
    </>
  )
}
