import { Bell, CircleAlert, CircleCheck, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { formatAgoInSentence, formatPercent } from '../../../../ui/format.ts'
import { countOf } from '../labels.ts'
import { compareBooking } from '../compare-text.ts'
import type { SequenceData } from '../sequence-data.ts'

/** What patients did in the last 90 days, compared with those who got nothing, and whether the sequence runs as it should. */
export function Results({ sequence }: { sequence: SequenceData }) {
  const { funnel } = sequence
  const rows = [
    ['Entered', funnel.entered.entered],
    ['Replied', funnel.entered.replied],
    ['Consult booked', funnel.entered.booked],
    ['Surgery booked', funnel.entered.surgery],
  ] as const
  return (
    <>
      <section aria-labelledby="sequence-results">
        <h3 id="sequence-results" className="pb-2 text-title font-semibold text-fg">
          Last 90 days
        </h3>
        {funnel.entered.entered === 0 ? (
          <p className="text-sm text-fg-2">No one has entered yet.</p>
        ) : (
          <>
            <dl className="flex flex-col gap-2.5">
              {rows.map(([label, count]) => (
                <Bar key={label} label={label} count={count} of={funnel.entered.entered} />
              ))}
            </dl>
            <p className="pt-3 text-sm text-fg-2">{compareBooking(sequence)}</p>
          </>
        )}
      </section>
      <Health sequence={sequence} />
    </>
  )
}

function Bar({ label, count, of }: { label: string; count: number; of: number }) {
  const percent = (count / of) * 100
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3 pb-1 text-sm">
        <dt className="text-fg">{label}</dt>
        <dd className="text-fg tabular-nums">
          {count.toLocaleString('en-CA')}{' '}
          <span className="inline-block min-w-12 text-right text-fg-3">{formatPercent(Math.round(percent * 10) / 10)}</span>
        </dd>
      </div>
      <span aria-hidden="true" className="block h-1.5 overflow-hidden rounded-full bg-active">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
    </div>
  )
}

function Health({ sequence: { isOn, health, draft, published } }: { sequence: SequenceData }) {
  const clock = useClock()
  const { late, failed, isQuiet, lastStepAt } = health
  const isRunning = late === 0 && failed === 0
  return (
    <section aria-labelledby="sequence-health">
      <h3 id="sequence-health" className="pb-2 text-title font-semibold text-fg">
        Health
      </h3>
      <ul className="flex flex-col gap-2 text-sm">
        {late > 0 && (
          <Line tone="danger" icon={<CircleAlert />}>
            {countOf(late, 'step')} late by more than 15 minutes
          </Line>
        )}
        {failed > 0 && (
          <Line tone="danger" icon={<CircleAlert />}>
            Failed for {countOf(failed, 'patient')} in the last seven days
          </Line>
        )}
        {isQuiet && (
          <Line tone="danger" icon={<CircleAlert />}>
            No one has entered for longer than {countOf(draft.alertDays ?? 0, 'day')}
          </Line>
        )}
        {isRunning && lastStepAt !== null && (
          <Line tone="success" icon={<CircleCheck />}>
            Ran {formatAgoInSentence(lastStepAt, clock)}, nothing overdue
          </Line>
        )}
        {isRunning && lastStepAt === null && (
          <Line icon={<Clock />}>
            {isOn ? 'Waiting for the first patient' : published === null ? 'Not published yet' : 'Off: it starts for no one'}
          </Line>
        )}
        <Line icon={<Bell />}>
          {draft.alertDays === null
            ? 'No alert if no one enters'
            : `Alerts administrators if no one enters for ${countOf(draft.alertDays, 'day')}`}
        </Line>
      </ul>
    </section>
  )
}

function Line({ tone, icon, children }: { tone?: 'success' | 'danger'; icon: ReactNode; children: ReactNode }) {
  return (
    <li
      className={cn(
        'flex gap-2 [&>svg]:mt-0.5 [&>svg]:flex-none',
        tone === 'success' ? 'text-success-fg' : tone === 'danger' ? 'text-danger-fg' : 'text-fg-2',
      )}
    >
      {icon}
      <span>{children}</span>
    </li>
  )
}
