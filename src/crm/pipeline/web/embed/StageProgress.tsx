import { ChevronsUpDown } from 'lucide-react'
import { cn } from '../../../../ui/cn.ts'
import { DropdownMenu, MenuRadioGroup } from '../../../../ui/overlays/DropdownMenu.tsx'
import { type Clock, daysBetween, formatShortDate } from '../../../../ui/format.ts'
import { StageStepper } from '../../../../ui/display/stages/StageStepper.tsx'
import type { StageMove } from '../../../contacts/contract.ts'
import type { FunnelStage } from '../../contract.ts'
import { assignableStages } from '../../rules.ts'
import { StageIcon, StageName } from './StageName.tsx'
import { enteredAt, formatStageTimeShort, formatStageTime, timeInStages } from './stage-time.ts'
import { progressStages } from './stage-shape.ts'

interface StageProgressProps {
  stages: readonly FunnelStage[]
  /** Stage moves, oldest first. Empty while loading. */
  history: readonly StageMoveSummary[]
  currentId: string
  /** When the patient entered the stage, from the contact record; ISO 8601. */
  stageEnteredAt: string
  /** Why the lead was lost, if it was and a reason was given. */
  lostReason: string | null
  clock: Clock
  onMove: (stageId: string) => void
}

/** A patient's progress through the funnel with the time in each stage. Clicking a stage moves the patient; narrow screens use a menu. */
export function StageProgress({ stages, history, currentId, stageEnteredAt, lostReason, clock, onMove }: StageProgressProps) {
  const now = new Date(clock.now).getTime()
  const times = timeInStages(history, now)
  const shownStages = progressStages(assignableStages(stages, currentId))
  const current = stages.find(({ id }) => id === currentId)
  const move = (id: string) => {
    if (id !== currentId) onMove(id)
  }
  const since = enteredAt(history, { stageId: currentId, enteredAt: stageEnteredAt })
  const isToday = daysBetween(since, clock) === 0
  const formatStay = (format: (milliseconds: number) => string) => {
    if (now - since < 60_000) return 'Just now'
    return isToday ? format(now - since) : `${format(now - since)}, since ${formatShortDate(since, clock)}`
  }

  const notes = shownStages.map(({ id, name }) => {
    const spent = times.get(id)
    return {
      id,
      name,
      note: id === currentId ? formatStay(formatStageTimeShort) : spent === undefined ? undefined : formatStageTimeShort(spent),
    }
  })

  return (
    <>
      <StageStepper steps={notes} currentId={currentId} onSelect={({ id }) => move(id)} className="max-[60rem]:hidden" />
      {current?.kind === 'lost' && (
        <p className="flex items-center gap-2 pt-2 text-sm text-fg max-[60rem]:hidden">
          <StageName stages={stages} id={currentId} className="font-semibold" />
          {lostReason !== null && <span className="min-w-0 break-words">{lostReason}</span>}
          <span className="flex-none text-xs text-fg-3 tabular-nums">{formatStay(formatStageTimeShort)}</span>
        </p>
      )}
      <div className="min-[60rem]:hidden">
        <Bars count={shownStages.length} at={shownStages.findIndex(({ id }) => id === currentId)} />
        <DropdownMenu
          align="start"
          className="w-(--radix-dropdown-menu-trigger-width)"
          trigger={
            <button
              type="button"
              className="flex h-11 w-full items-center gap-2 rounded-sm text-md"
              aria-label={`Stage: ${current?.name ?? ''}. Move to another`}
            >
              {current && current.kind !== 'open' && <StageIcon stages={stages} stage={current} />}
              <span className="truncate font-semibold text-fg">{current?.name}</span>
              <ChevronsUpDown className="text-fg-3" />
              <span className="ml-auto flex-none text-sm text-fg-3 tabular-nums">{formatStay(formatStageTime)}</span>
            </button>
          }
        >
          <StageMenuItems stages={stages} currentId={currentId} onMove={onMove} />
        </DropdownMenu>
        {lostReason !== null && <p className="pb-1 text-sm break-words text-fg">{lostReason}</p>}
      </div>
    </>
  )
}

type StageMoveSummary = Pick<StageMove, 'fromStageId' | 'toStageId'> & { changedAt: string }

/** The stages as menu items, including lost ones: the keyboard alternative to clicking the bars. */
export function StageMenuItems({ stages, currentId, onMove }: Pick<StageProgressProps, 'stages' | 'currentId' | 'onMove'>) {
  return (
    <MenuRadioGroup
      value={currentId}
      onValueChange={(id) => {
        if (id !== currentId) onMove(id)
      }}
      options={assignableStages(stages, currentId).map((stage) => ({
        value: stage.id,
        label: stage.name,
        icon: <ColouredIcon stages={stages} stage={stage} />,
      }))}
    />
  )
}

/** Keeps the colour of the stage ring, because the menu greys out direct icon children. */
const ColouredIcon = (props: React.ComponentProps<typeof StageIcon>) => (
  <span className="flex">
    <StageIcon {...props} />
  </span>
)

function Bars({ count, at }: { count: number; at: number }) {
  return (
    <div aria-hidden="true" className="flex gap-1">
      {Array.from({ length: count }, (_, index) => (
        <span
          key={index}
          className={cn('h-1 flex-1 rounded-full', index === at ? 'bg-accent' : index < at ? 'bg-stage-done' : 'bg-active')}
        />
      ))}
    </div>
  )
}
