import { useNavigate, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { messageOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useClock, useSession } from '../../../ui/client/session.ts'
import { prepareCharts } from '../../../ui/charts/useRecharts.ts'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { formatDay, formatTime } from '../../../ui/format.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { useMedia } from '../../../ui/hooks/useMedia.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { formatEstimate } from '../estimate-rules.ts'
import { reportNames } from '../name-rules.ts'
import { mayReadReport } from '../policy.ts'
import { definitionOf } from '../report-rules.ts'
import { stepFor } from '../rules.ts'
import { NamesChart } from './BreakdownTable.tsx'
import { Figures } from './Figures.tsx'
import type { ReportData } from './number-target.ts'
import { PrintedReport } from './PrintedReport.tsx'
import { ReportActions } from './ReportActions.tsx'
import { ReportList } from './ReportList.tsx'
import { askOf, firstReport, type ReportsSearch, type WebAsk } from './reports-search.ts'
import { ReportSkeleton } from './ReportSkeleton.tsx'
import { ReportToolbar } from './ReportToolbar.tsx'
import { Sending } from './Sending.tsx'
import { soundSearch } from './valid-search.ts'
import { TimeChart } from './TimeChart.tsx'
import { useReport, useSaved } from './useReport.ts'
import { useStages } from './useStages.ts'
import { formatDayLabel } from './values.ts'

const RecordsDrawer = lazyDialog(
  () => import('./RecordsDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** Spec 2: /reports. */
export default function ReportsPage(): ReactNode {
  const isAllowed = usePermission()('reports.run')
  return (
    <>
      <TopbarTitle title="Reports" />
      {isAllowed ? (
        <Reports />
      ) : (
        <EmptyState icon={<Lock />} title="Your role has no access to reports">
          Administrators, sales and billing have access, and providers to infections and returns. An administrator can change your role.
        </EmptyState>
      )}
    </>
  )
}

function Reports() {
  const { user } = useSession()
  const search = soundSearch(readable(useSearch({ from: '/staff/reports' }), user))
  const navigate = useNavigate({ from: '/reports' })
  const narrow = useMedia('(width < 64rem)')
  const saved = useSaved().data ?? []
  const ask = askOf(search)
  const query = useReport(ask)
  useEffect(prepareCharts, [])
  const { data } = query
  const current = saved.find(({ id }) => id === search.saved)
  const change = (part: ReportsSearch, replace = false) => void navigate({ search: (before) => ({ ...before, ...part }), replace })
  const closeRecords = () => change({ figure: undefined, by: undefined, row: undefined }, true)

  return (
    <div className="flex min-h-0 flex-1">
      {!narrow && <ReportList search={search} report={search.report ?? firstReport} saved={saved} />}
      <div className="flex min-w-0 flex-1 flex-col">
        <ReportToolbar search={search} onChange={change} narrow={narrow} />
        <div className="@container min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="report">
          <div className="flex flex-col gap-5 px-4 pt-4 pb-10 md:px-6">
            <Heading
              ask={ask}
              data={data}
              isFailed={query.error !== null}
              actions={<ReportActions ask={ask} current={current} saved={narrow ? saved : []} />}
              name={current?.name}
            />
            {current?.schedule && <Sending saved={current} />}
            {data ? (
              <Report data={data} ask={ask} />
            ) : query.error ? (
              <ErrorState
                title="Couldn’t load the report"
                onRetry={() => void query.refetch()}
                retrying={query.isFetching}
                className="py-24"
              >
                {messageOf(query.error)}
              </ErrorState>
            ) : (
              <ReportSkeleton report={ask.report} />
            )}
          </div>
        </div>
      </div>
      {data && <PrintedReport data={data} ask={ask} name={current?.name} />}
      {search.figure && <RecordsDrawer ask={ask} of={search} rowName={rowNameOf(search, data)} onClose={closeRecords} />}
    </div>
  )
}

/** The first report that the user may read, if they may not read the one in the address. */
function readable(search: ReportsSearch, user: Parameters<typeof mayReadReport>[0] | null): ReportsSearch {
  if (!user || mayReadReport(user, search.report ?? firstReport)) return search
  return { ...search, report: reportNames.find((name) => mayReadReport(user, name)), saved: undefined }
}

/** Label of the row with open records. */
function rowNameOf({ by, row }: ReportsSearch, data: ReportData | undefined): string | null {
  if (by === undefined) return null
  const found = data?.breakdowns.find(({ key }) => key === by)?.rows.find(({ key }) => key === (row ?? null))
  const time = data && definitionOf(data.report).breakdowns[by]?.time
  return time && row ? formatDayLabel(row, stepFor(time, data.now)).long : (found?.name ?? row ?? null)
}

interface HeadingProps {
  ask: WebAsk
  data: ReportData | undefined
  isFailed: boolean
  /** Of a saved report. */
  name: string | undefined
  actions: ReactNode
}

function Heading({ ask, data, isFailed, name, actions }: HeadingProps) {
  const { timeZone } = useClock()
  const { title, says } = definitionOf(ask.report)
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold text-fg">{name ?? title}</h2>
          {/* Announces loading to screen readers, then the period. */}
          <p role="status" className="min-h-4 text-xs text-fg-3 tabular-nums">
            {data
              ? `${formatDay(data.now.from)} to ${formatDay(data.now.to)}, compared with ${formatDay(data.before.from)} to ${formatDay(data.before.to)} · as of ${formatTime(data.at, timeZone)}`
              : !isFailed && 'Loading the report…'}
          </p>
        </div>
        {actions}
      </div>
      <p className="max-w-160 text-sm text-fg-2">
        {says}
        {data && ` ${formatEstimate(data.part) ?? ''}`}
      </p>
    </header>
  )
}

function Report({ data, ask }: { data: ReportData; ask: WebAsk }) {
  const stages = useStages()
  const context = { data, ask, wonStages: stages.filter(({ kind }) => kind === 'won').map(({ id }) => id) }
  const { breakdowns } = definitionOf(ask.report)
  return (
    <>
      <Figures context={context} />
      {data.breakdowns.map((breakdown) => (
        <div key={breakdown.key} className="@container border-line not-last:border-b not-last:pb-6">
          {breakdowns[breakdown.key]!.time ? (
            <TimeChart context={context} breakdown={breakdown} />
          ) : (
            <NamesChart context={context} breakdown={breakdown} />
          )}
        </div>
      ))}
    </>
  )
}
