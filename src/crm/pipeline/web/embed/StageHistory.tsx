import { History } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { type Clock, formatDateTime } from '../../../../ui/format.ts'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import type { FunnelStage } from '../../contract.ts'
import { StageName } from './StageName.tsx'
import { formatStageTime, stageVisits } from './stage-time.ts'

interface StageHistoryProps {
  stages: readonly FunnelStage[]
  people: readonly Person[]
  /** The moves in order, oldest first. */
  history: readonly {
    id: string
    fromStageId: string | null
    toStageId: string
    changedAt: string
    changedBy: string | null
    lostReason: string | null
  }[]
  clock: Clock
}

/** Who moved the patient through the stages, when, and how long each stay lasted. */
export function StageHistory({ stages, people, history, clock }: StageHistoryProps) {
  if (history.length === 0) return null
  const by = (id: string | null) => (id === null ? 'System' : (people.find((person) => person.id === id)?.fullName ?? 'Former staff'))
  return (
    <Popover
      label="Stage history"
      align="end"
      className="w-88 p-0"
      trigger={
        <Button variant="quiet" size="sm" icon={<History />}>
          {/* Phones have no room for the label next to the tabs. */}
          <span className="max-md:sr-only">Stage history</span>
        </Button>
      }
    >
      <ol className="divide-y divide-line">
        {stageVisits(history, new Date(clock.now).getTime()).map(({ stageId, since, until, length, by: who, reason }) => (
          <li key={`${stageId} ${since}`} className="px-4 py-2.5 text-sm">
            <p className="flex items-baseline justify-between gap-3">
              <StageName stages={stages} id={stageId} className="min-w-0 font-medium text-fg" />
              <span className="flex-none text-fg-2 tabular-nums">{`${formatStageTime(length)}${until === null ? ' so far' : ''}`}</span>
            </p>
            <p className="pt-0.5 pl-5.5 text-xs text-fg-3">
              {by(who)} · {formatDateTime(since, clock)}
            </p>
            {reason !== null && <p className="pt-0.5 pl-5.5 text-xs break-words text-fg-2">{reason}</p>}
          </li>
        ))}
      </ol>
    </Popover>
  )
}
