import { Check, CircleAlert, CircleSlash, Clock, Flag, GitBranch, Hand, type LucideIcon, Play, Send, SkipForward } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { TimelineDay, TimelineItem, type TimelineTone } from '../../../../ui/display/Timeline.tsx'
import { type Clock as PracticeClock, formatDateTime, formatDayHeading, formatTime } from '../../../../ui/format.ts'
import { outcomeLabel, reasonLabel } from '../labels.ts'
import type { LogData } from './run-data.ts'

type Entry = Pick<LogData['entries'][number], 'id' | 'at' | 'title' | 'step' | 'reason' | 'by'> & { outcome: string }

interface EntriesProps {
  entries: readonly Entry[]
  people?: readonly Person[]
  /** Below an entry. */
  renderActions?: (entry: Entry) => ReactNode
}

const styles: Record<string, [LucideIcon, TimelineTone]> = {
  started: [Play, 'accent'],
  sent: [Send, 'success'],
  done: [Check, 'success'],
  refused: [CircleSlash, 'warning'],
  waited: [Clock, 'neutral'],
  yes: [GitBranch, 'accent'],
  no: [GitBranch, 'neutral'],
  skipped: [SkipForward, 'neutral'],
  failed: [CircleAlert, 'danger'],
  ended: [Flag, 'neutral'],
  changed: [Hand, 'info'],
  held: [Clock, 'warning'],
}

/** What a sequence did, in a timeline: in the order given. */
export function Entries({ entries, people = [], renderActions }: EntriesProps) {
  const clock = useClock()
  const days = [...Map.groupBy(entries, ({ at }) => formatDayHeading(at, clock))]
  return days.map(([heading, of]) => (
    <TimelineDay key={heading} heading={heading}>
      {of.map((entry) => (
        <EntryLine
          key={entry.id}
          entry={entry}
          clock={clock}
          by={people.find(({ id }) => id === entry.by)?.fullName ?? null}
          actions={renderActions?.(entry)}
        />
      ))}
    </TimelineDay>
  ))
}

function EntryLine({ entry, clock, by, actions }: { entry: Entry; clock: PracticeClock; by: string | null; actions: ReactNode }) {
  const { step, title, outcome, reason, at } = entry
  const [Icon, tone] = styles[outcome] ?? [Clock, 'neutral']
  const why = reason !== null && reason !== outcome ? reasonLabel(reason) : null
  const isFrame = step === 'start' || step === 'end' || step === 'hand'
  return (
    <TimelineItem
      icon={<Icon />}
      tone={tone}
      time={formatTime(at, clock.timeZone)}
      exactTime={formatDateTime(at, clock)}
      summary={
        isFrame ? (
          <>
            <strong>{outcome === 'changed' && why ? why.replace(/^./, (first) => first.toUpperCase()) : outcomeLabel(outcome)}</strong>
            {outcome !== 'changed' && why && `: ${why}`}
            {by && ` by ${by}`}
          </>
        ) : (
          <>
            <strong>{title}</strong>
            <span className="block">
              {outcomeLabel(outcome)}
              {why && `: ${why}`}
              {by && ` (${by})`}
            </span>
          </>
        )
      }
    >
      {actions}
    </TimelineItem>
  )
}
