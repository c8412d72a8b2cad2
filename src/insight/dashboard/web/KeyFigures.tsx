import type { ReactNode } from 'react'
import { Sparkline } from '../../../ui/charts/Sparkline.tsx'
import { cn } from '../../../ui/cn.ts'
import { type Clock, formatCount, formatMonth } from '../../../ui/format.ts'
import type { Medians } from '../contract.ts'
import { PatientsLink } from './DataTable.tsx'
import { changeOf, formatDuration, lengthParts } from './embed/measures.ts'
import type { DashboardData } from './useDashboard.ts'

/** The three counts of spec 2, plus first response and lead-to-consult times, which are our additions. */
export function KeyFigures({ data: { leads, firstResponse, leadToConsult }, clock }: { data: DashboardData; clock: Clock }) {
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-lg border border-line @3xl:grid-cols-5">
      <Figure
        label="Leads (7 days)"
        value={<Count count={leads.week.count} filter="added:last-7-days" />}
        note={<Change {...leads.week} days={7} />}
        beside={<Sparkline values={leads.perDay.slice(-7)} />}
      />
      <Figure
        label="Leads (30 days)"
        value={<Count count={leads.month.count} filter="added:last-30-days" />}
        note={<Change {...leads.month} days={30} />}
        beside={<Sparkline values={leads.perDay} />}
      />
      <Figure
        label="Leads (All Time)"
        value={<Count count={leads.total} filter="" />}
        note={leads.since === null ? 'none yet' : `since ${formatMonth(leads.since, clock.timeZone)}`}
        className="@max-3xl:col-span-2"
      />
      <Length label="First response" medians={firstResponse} of="answered" />
      <Length label="Lead to consult" medians={leadToConsult} of="booked" />
    </dl>
  )
}

interface FigureProps {
  label: string
  value: ReactNode
  note: ReactNode
  /** Details on hover. */
  title?: string
  beside?: ReactNode
  className?: string
}

/** Hairlines at the top and left of each; the outer ones are hidden by the border. */
function Figure({ label, value, note, title, beside, className }: FigureProps) {
  return (
    <div className={cn('relative -mt-px -ml-px border-t border-l border-line px-4 pt-3.5 pb-3 md:px-4.5', className)}>
      <dt className="truncate text-sm text-fg-2">{label}</dt>
      <dd className="flex items-end justify-between gap-3 pt-0.5">
        <span className="text-3xl font-semibold whitespace-nowrap text-fg tabular-nums">{value}</span>
        {beside && <div className="hidden pb-1.5 @5xl:block">{beside}</div>}
      </dd>
      <dd className="pt-1 text-xs text-fg-3 tabular-nums" title={title}>
        {note}
      </dd>
    </div>
  )
}

/** The whole figure links to the counted patients. */
const Count = ({ count, filter }: { count: number; filter: string }) => (
  <PatientsLink
    filter={filter}
    className="static after:absolute after:inset-0 after:size-auto after:translate-x-0 after:translate-y-0 hover:no-underline"
  >
    {formatCount(count)}
  </PatientsLink>
)

const tones = { up: 'font-medium text-success-fg', down: 'font-medium text-danger-fg', same: '' }

function Change({ count, before, days }: { count: number; before: number; days: number }) {
  const change = changeOf(count, before)
  if (!change) return `none in the ${days} days before`
  return (
    <>
      <span className={tones[change.tone]}>{change.text}</span>
      {change.tone === 'same' ? ` the ${days} days before` : ` on the ${days} days before`}
    </>
  )
}

function Length({ label, medians: { now, before }, of }: { label: string; medians: Medians; of: string }) {
  const was = before.seconds === null ? '' : `, was ${formatDuration(before.seconds)}`
  return (
    <Figure
      label={label}
      title={`Median of ${formatCount(now.of)} leads ${of} in the last 30 days and ${formatCount(before.of)} in the previous 30. Large numbers are sampled.`}
      value={
        now.seconds === null ? (
          <span className="text-fg-3">None</span>
        ) : (
          lengthParts(now.seconds).map(([number, unit], index) => (
            <span key={unit}>
              {index > 0 && ' '}
              {number} <span className="-ml-1 text-lg font-regular text-fg-2">{unit}</span>
            </span>
          ))
        )
      }
      note={now.seconds === null ? `none ${of} in 30 days${was}` : `30-day median${was}`}
    />
  )
}
