import { Link } from '@tanstack/react-router'
import { cn } from '../../../ui/cn.ts'
import { formatCount } from '../../../ui/format.ts'
import { StageName } from '../../../crm/pipeline/web/embed/StageName.tsx'
import { DataTable, PatientsLink } from './DataTable.tsx'
import { filterOfStages, type FunnelStep, type StageFigures, stepsOf } from './funnel.ts'
import { inDays, percentOf } from './embed/measures.ts'
import { ChartPanel } from './embed/Panel.tsx'

/** Spec 2: 'Sales Funnel', a bar for each stage with conversion and median time. */
export function FunnelChart({ stages }: { stages: readonly StageFigures[] }) {
  const steps = stepsOf(stages)
  const most = Math.max(1, ...steps.map(({ reached }) => reached))
  return (
    <ChartPanel
      title="Sales Funnel"
      note="all time, with % of the previous stage"
      chart={
        <>
          <div aria-hidden="true" className={cn(grid, 'h-6 text-xs text-fg-3')}>
            <span className="col-start-2 flex gap-4">
              <Key className="bg-chart-1">Currently in stage</Key>
              <Key className={further}>Moved on</Key>
            </span>
            <span className="col-span-2 col-start-4 text-right whitespace-nowrap @max-xl:hidden">Median time, 30 d</span>
          </div>
          <ul>
            {steps.map((step) => (
              <Bar key={step.stage.id} step={step} stages={stages} most={most} />
            ))}
          </ul>
        </>
      }
      table={
        <DataTable
          caption="Patients by stage"
          head={['Stage', 'Currently in stage', 'Reached', 'From previous stage', 'Median days (30 days)', 'Previous 30 days']}
          rows={steps.map(({ stage, reached, filter, before }) => ({
            id: stage.id,
            name: stage.name,
            filter: filterOfStages([stage]),
            values: [
              formatCount(stage.count),
              <PatientsLink key="reached" filter={filter} label={`${stage.name} and further: ${formatCount(reached)}`}>
                {formatCount(reached)}
              </PatientsLink>,
              before === null ? '' : percentOf(reached, before),
              stage.stay.now.seconds === null ? 'None' : inDays(stage.stay.now.seconds),
              stage.stay.before.seconds === null ? 'None' : inDays(stage.stay.before.seconds),
            ],
          }))}
        />
      }
    />
  )
}

const grid =
  'grid grid-cols-[7.25rem_minmax(0,1fr)_3.25rem_2.5rem] items-center gap-x-3 @xl:grid-cols-[8.5rem_minmax(0,1fr)_4rem_3rem_5rem]'
const further = 'bg-chart-1/60'

const Key = ({ className, children }: { className: string; children: string }) => (
  <span className="flex items-center gap-1.5 whitespace-nowrap">
    <span className={cn('size-2.5 rounded-[2px]', className)} />
    {children}
  </span>
)

function Bar({
  step: { stage, reached, filter, before },
  stages,
  most,
}: {
  step: FunnelStep
  stages: readonly StageFigures[]
  most: number
}) {
  const stay = stage.stay.now.seconds
  const was = stage.stay.before.seconds
  return (
    <li>
      <Link
        to="/contacts"
        search={{ filter }}
        className={cn(grid, 'group/bar -mx-2 h-11 rounded-sm px-2 text-sm hover:bg-hover @xl:h-8.5')}
        aria-label={spoken({ stage, reached, before })}
      >
        <StageName stages={stages} id={stage.id} className="text-fg" />
        <span className="flex h-4.5">
          <Part count={stage.count} most={most} className={stage.kind === 'lost' ? 'bg-chart-10' : 'bg-chart-1'} />
          <Part count={reached - stage.count} most={most} className={further} />
        </span>
        <span className="text-right font-medium text-fg tabular-nums">{formatCount(reached)}</span>
        <span className="text-right text-fg-3 tabular-nums">{before !== null && percentOf(reached, before)}</span>
        <span
          className="text-right text-fg-3 tabular-nums @max-xl:hidden"
          title={was === null ? undefined : `${inDays(was)} days in the previous 30 days`}
        >
          {stay !== null && `${inDays(stay)} days`}
        </span>
      </Link>
    </li>
  )
}

function spoken({ stage, reached, before }: Pick<FunnelStep, 'stage' | 'reached' | 'before'>): string {
  const share = before === null ? '' : `, ${percentOf(reached, before)} of the previous stage`
  const stay = stage.stay.now.seconds === null ? '' : `, left after a median of ${inDays(stage.stay.now.seconds)} days`
  return `${stage.name}: ${formatCount(reached)}${share}, ${formatCount(stage.count)} currently in stage${stay}`
}

const Part = ({ count, most, className }: { count: number; most: number; className: string }) =>
  count > 0 && (
    <span className={cn('first:rounded-l-xs last:rounded-r-xs', className)} style={{ width: `max(2px, ${(count / most) * 100}%)` }} />
  )
