import { useQuery, useQueryClient } from '@tanstack/react-query'
import { GripVertical, Plus } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { formatCount } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useReorder } from '../../../../ui/hooks/useReorder.ts'
import type { FunnelStage } from '../../contract.ts'
import { reorder } from '../../rules.ts'
import { meaningOf } from '../labels.ts'
import { StageIcon } from './StageName.tsx'

const StageDialog = lazyDialog(
  () => import('../StageDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Settings for the funnel stages: names, order and status. */
export function StagesCard() {
  const cache = useQueryClient()
  const stages = useQuery(orpc.pipeline.stages.queryOptions())
  const counts = useQuery(orpc.pipeline.stageCounts.queryOptions())
  useLive(['vocabulary', 'contact', 'bulk-change'], () => void cache.invalidateQueries({ queryKey: orpc.pipeline.key() }), {
    debounceMs: 500,
  })
  /** The id of the stage in the dialog; 'new' for a new one. */
  const [open, setOpen] = useState<string | null>(null)
  const shown = stages.data?.find(({ id }) => id === open)
  const add = (
    <Button icon={<Plus />} onPointerEnter={StageDialog.prepare} onClick={() => setOpen('new')}>
      Add stage
    </Button>
  )
  return (
    <Section id="stages" title="Funnel stages" actions={stages.data && add}>
      <Asked query={stages} failed="Couldn’t load the stages">
        {(list) => (
          <>
            <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
              The steps from the first call to the surgery. To reorder stages, drag a handle, or press Space on it and use the arrow keys.
            </p>
            <Stages
              stages={list}
              counts={counts.data && new Map(counts.data.map(({ stageId, count }) => [stageId, count]))}
              onOpen={setOpen}
            />
          </>
        )}
      </Asked>
      {(open === 'new' || shown) && (
        <StageDialog
          key={open}
          stage={shown ?? null}
          stages={stages.data ?? []}
          count={counts.data?.find(({ stageId }) => stageId === open)?.count ?? 0}
          onClose={() => setOpen(null)}
        />
      )}
    </Section>
  )
}

interface StagesProps {
  stages: readonly FunnelStage[]
  counts: ReadonlyMap<string, number> | undefined
  onOpen: (id: string) => void
}

function Stages({ stages, counts, onOpen }: StagesProps) {
  const cache = useQueryClient()
  const key = orpc.pipeline.stages.queryKey()
  const stageOf = (id: string) => stages.find((stage) => stage.id === id)

  /** Optimistic: moves the stage at once, and back if the request fails. */
  async function move(id: string, before: string | null) {
    await cache.cancelQueries({ queryKey: key })
    cache.setQueryData(key, (known) => known && reorder(known, id, before))
    try {
      cache.setQueryData(key, await client.pipeline.moveStage({ id, before }))
    } catch (error) {
      toast.error('Couldn’t reorder the stages', messageOf(error))
      void cache.invalidateQueries({ queryKey: key })
    }
  }

  const { list, order, lifted, handle, announcement } = useReorder({
    ids: stages.map(({ id }) => id),
    nameOf: (id) => stageOf(id)?.name ?? '',
    onMove: (id, before) => void move(id, before),
  })

  return (
    <>
      <ul ref={list} aria-label="Stages" className={cn('-mx-2 pt-3', lifted && 'select-none')}>
        {order.map((id) => {
          const stage = stageOf(id)
          if (!stage) return null
          const count = counts?.get(id) ?? 0
          const meaning = meaningOf(stage)
          return (
            <li
              key={id}
              data-reorder={id}
              className={cn('flex min-h-11 items-center rounded-sm', lifted === id && 'relative z-1 bg-raised shadow-md')}
            >
              <button
                type="button"
                aria-label={`Move ${stage.name}`}
                className={cn(
                  'flex h-11 w-9 flex-none items-center justify-center rounded-sm text-fg-3 hover:text-fg',
                  lifted === id ? 'cursor-grabbing' : 'cursor-grab',
                )}
                {...handle(id)}
              >
                <GripVertical aria-hidden="true" />
              </button>
              <OpenRow onPointerEnter={StageDialog.prepare} onFocus={StageDialog.prepare} onClick={() => onOpen(id)}>
                <StageIcon stages={stages} stage={stage} />
                <span className="min-w-0 flex-1">
                  <span className={cn('block truncate text-md font-medium', stage.isActive ? 'text-fg' : 'text-fg-3')}>{stage.name}</span>
                  {meaning && <span className="block truncate text-sm text-fg-3">{meaning}</span>}
                </span>
                {!stage.isActive && <Badge>Inactive</Badge>}
                {counts && (
                  <span className="flex-none text-sm text-fg-2 tabular-nums">
                    {formatCount(count)} <span className="text-fg-3">{count === 1 ? 'patient' : 'patients'}</span>
                  </span>
                )}
              </OpenRow>
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  )
}
