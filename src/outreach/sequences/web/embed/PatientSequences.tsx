import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import type { Clock } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { statusLabels } from '../labels.ts'
import { describeRun, statusTones } from '../log/run-data.ts'

const RunDrawer = lazyDialog(
  () => import('../log/RunDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** The sequences that a patient is or was in, for roles that write to patients; each opens its log. Nothing without one. */
export function PatientSequences({ contactId, clock }: { contactId: string; clock: Clock }) {
  const isAllowed = usePermission()('sequences.ofContact')
  const cache = useQueryClient()
  const [openId, setOpenId] = useState<string | null>(null)
  const runs = useQuery(orpc.sequences.ofContact.queryOptions({ input: { id: contactId }, enabled: isAllowed }))
  useLive(['sequence'], () => void cache.invalidateQueries({ queryKey: orpc.sequences.ofContact.key() }), { debounceMs: 1000 })
  if (!isAllowed || (runs.data?.length === 0 && !runs.error)) return null
  if (!runs.data && !runs.error) return null
  return (
    <PanelSection title="Sequences">
      {runs.data ? (
        <ul aria-label="Sequences of the patient" className="-mx-2">
          {runs.data.map((run) => (
            <li key={run.id}>
              <OpenRow onPointerEnter={RunDrawer.prepare} onFocus={RunDrawer.prepare} onClick={() => setOpenId(run.id)}>
                <span className="flex min-w-0 flex-1 flex-col">
                  <span className="flex items-center gap-2">
                    <span className="min-w-0 truncate text-sm font-medium text-fg">{run.sequenceName}</span>
                    <Badge tone={statusTones[run.status]}>{statusLabels[run.status]}</Badge>
                  </span>
                  <span className="text-xs text-fg-2">{describeRun(run, clock)}</span>
                </span>
              </OpenRow>
            </li>
          ))}
        </ul>
      ) : (
        <p role="alert" className="text-sm text-danger-fg">
          Couldn’t load sequences.{' '}
          <Button size="sm" variant="quiet" onClick={() => void runs.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {openId !== null && <RunDrawer id={openId} onClose={() => setOpenId(null)} />}
    </PanelSection>
  )
}
