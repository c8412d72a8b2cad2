import { ChevronsUpDown } from 'lucide-react'
import { cn } from '../../../../web/ui/cn.ts'
import { DropdownMenu, MenuRadioGroup } from '../../../../web/ui/DropdownMenu.tsx'
import { type Clock, formatShortDate } from '../../../../web/ui/format.ts'
import { StageStepper } from '../../../../web/ui/StageStepper.tsx'
import type { StageMove } from '../../../contacts/contract.ts'
import type { FunnelStage } from '../../contract.ts'
import { StageIcon, StageName } from './StageName.tsx'
import { inShort, inWords, type StageTime, timeInStages } from './stage-time.ts'
import { steps } from './stage-shape.ts'

interface StageProgressProps {
  stages: readonly FunnelStage[]
  /** The moves in order; empty until they have arrived. */
  history: readonly Moved[]
  currentId: string
  clock: Clock
  onMove: (stageId: string) => void
}

/** A patient's way through the funnel with the time in each stage; a click, or the menu on a phone, moves the patient on. */
export function StageProgress({ stages, history, currentId, clock, onMove }: StageProgressProps) {
  const now = new Date(clock.now).getTime()
  const times = timeInStages(history, now)
  const way = steps(stages)
  const current = stages.find(({ id }) => id === currentId)
  const move = (id: string) => {
    if (id !== currentId) onMove(id)
  }
  const since = (time: StageTime) => `since ${formatShortDate(time.since, clock)}`

  const notes = way.map(({ id, name }) => {
    const time = times.get(id)
    if (!time) return { id, name }
    return { id, name, note: id === currentId ? `${inShort(now - time.since)}, ${since(time)}` : inShort(time.spent) }
  })
  const time = times.get(currentId)

  return (
    <>
      <StageStepper steps={notes} currentId={currentId} onSelect={({ id }) => move(id)} className="max-md:hidden" />
      {current?.kind === 'lost' && (
        <p className="flex items-center gap-2 pt-2 text-sm text-fg max-md:hidden">
          <StageName stages={stages} id={currentId} className="font-semibold" />
          {time && (
            <span className="text-xs text-fg-3 tabular-nums">
              {inShort(now - time.since)}, {since(time)}
            </span>
          )}
        </p>
      )}
      <div className="md:hidden">
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
              {time && (
                <span className="ml-auto flex-none text-sm text-fg-3 tabular-nums">
                  {inWords(now - time.since)}, {since(time)}
                </span>
              )}
            </button>
          }
        >
          <StageMenuItems stages={stages} currentId={currentId} onMove={onMove} />
        </DropdownMenu>
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
      options={stages.map((stage) => ({ value: stage.id, label: stage.name, icon: <StageIcon stages={stages} stage={stage} /> }))}
    />
  )
}

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
