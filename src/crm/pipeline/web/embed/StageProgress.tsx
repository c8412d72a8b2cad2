import { ChevronsUpDown } from 'lucide-react'
import { cn } from '../../../../ui/cn.ts'
import { DropdownMenu, MenuRadioGroup } from '../../../../ui/overlays/DropdownMenu.tsx'
import { type Clock, daysBetween, formatShortDate } from '../../../../ui/format.ts'
import { StageStepper } from '../../../../ui/display/StageStepper.tsx'
import type { StageMove } from '../../../contacts/contract.ts'
import type { FunnelStage } from '../../contract.ts'
import { offered } from '../../rules.ts'
import { StageIcon, StageName } from './StageName.tsx'
import { enteredAt, inShort, formatStageTime, timeInStages } from './stage-time.ts'
import { steps } from './stage-shape.ts'

interface StageProgressProps {
  stages: readonly FunnelStage[]
  /** The moves in order; empty until they have arrived. */
  history: readonly Moved[]
  currentId: string
  /** When the patient came into the stage, as the contact says; ISO 8601. */
  stageEnteredAt: string
  /** Why the lead was lost, where it was and someone said. */
  lostReason: string | null
  clock: Clock
  onMove: (stageId: string) => void
}

/** A patient's way through the funnel with the time in each stage; a click, or the menu where the names have no room, moves the patient on. */
export function StageProgress({ stages, history, currentId, stageEnteredAt, lostReason, clock, onMove }: StageProgressProps) {
  const now = new Date(clock.now).getTime()
  const times = timeInStages(history, now)
  const way = steps(offered(stages, currentId))
  const current = stages.find(({ id }) => id === currentId)
  const move = (id: string) => {
    if (id !== currentId) onMove(id)
  }
  const since = enteredAt(history, { stageId: currentId, enteredAt: stageEnteredAt })
  const isToday = daysBetween(since, clock) === 0
  const stay = (say: (length: number) => string) => {
    if (now - since < 60_000) return 'Just now'
    return isToday ? say(now - since) : `${say(now - since)}, since ${formatShortDate(since, clock)}`
  }

  const notes = way.map(({ id, name }) => {
    const spent = times.get(id)
    return { id, name, note: id === currentId ? stay(inShort) : spent === undefined ? undefined : inShort(spent) }
  })

  return (
    <>
      <StageStepper steps={notes} currentId={currentId} onSelect={({ id }) => move(id)} className="max-[60rem]:hidden" />
      {current?.kind === 'lost' && (
        <p className="flex items-center gap-2 pt-2 text-sm text-fg max-[60rem]:hidden">
          <StageName stages={stages} id={currentId} className="font-semibold" />
          {lostReason !== null && <span className="min-w-0 break-words">{lostReason}</span>}
          <span className="flex-none text-xs text-fg-3 tabular-nums">{stay(inShort)}</span>
        </p>
      )}
      <div className="min-[60rem]:hidden">
        <Bars count={way.length} at={way.findIndex(({ id }) => id === currentId)} />
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
              <span className="ml-auto flex-none text-sm text-fg-3 tabular-nums">{stay(formatStageTime)}</span>
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

type Moved = Pick<StageMove, 'fromStageId' | 'toStageId'> & { changedAt: string }

/** The stages as entries of a menu, lost ones too: the keyboard's way to what the bars are for the pointer. */
export function StageMenuItems({ stages, currentId, onMove }: Pick<StageProgressProps, 'stages' | 'currentId' | 'onMove'>) {
  return (
    <MenuRadioGroup
      value={currentId}
      onValueChange={(id) => {
        if (id !== currentId) onMove(id)
      }}
      options={offered(stages, currentId).map((stage) => ({
        value: stage.id,
        label: stage.name,
        icon: <ColouredIcon stages={stages} stage={stage} />,
      }))}
    />
  )
}

/** A menu greys the icons that stand in it; a stage's ring keeps its colour. */
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
