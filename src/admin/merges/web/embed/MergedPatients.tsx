import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { byId } from '../../../../crm/contacts/web/embed/directory.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import { type Clock, formatAgo, formatDateTime, formatShortDate } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { undoMerge, type UndoConflicts } from '../undo.ts'

const UndoDialog = lazyDialog(
  () => import('../UndoDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface MergedPatientsProps {
  contactId: string
  clock: Clock
  people: readonly Person[]
}

/** Patients merged into this one whose merge can still be undone. Renders nothing if there are none. */
export function MergedPatients({ contactId, clock, people }: MergedPatientsProps) {
  const cache = useQueryClient()
  const may = usePermission()
  const merges = useQuery(orpc.contacts.merges.queryOptions({ input: { id: contactId }, enabled: may('contacts.merges') }))
  const [busyMergeId, setBusyMergeId] = useState<string | null>(null)
  const [conflicted, setConflicted] = useState<{ merge: { id: string; sourceName: string }; conflicts: UndoConflicts } | null>(null)
  if (!merges.data || merges.data.length === 0) return null

  async function undo(merge: { id: string; sourceName: string }) {
    setBusyMergeId(merge.id)
    const conflicts = await undoMerge(cache, merge)
    setBusyMergeId(null)
    if (conflicts) setConflicted({ merge, conflicts })
  }

  return (
    <PanelSection title="Merged patients">
      <ul className="flex flex-col gap-2">
        {merges.data.map((merge) => (
          <li key={merge.id} className="flex items-center gap-2 text-sm">
            <span className="min-w-0 flex-1">
              <span className="block break-words text-fg">{merge.sourceName}</span>
              <span className="block text-xs text-fg-3" title={formatDateTime(merge.mergedAt, clock)}>
                {[formatAgo(merge.mergedAt, clock), byId(people, merge.mergedBy)?.fullName].filter(Boolean).join(' · ')} · undo until{' '}
                {formatShortDate(merge.undoUntil, clock)}
              </span>
            </span>
            <Button
              size="sm"
              icon={<Undo2 />}
              aria-label={`Undo the merge with ${merge.sourceName}`}
              busy={busyMergeId === merge.id}
              onClick={() => void undo(merge)}
            >
              Undo
            </Button>
          </li>
        ))}
      </ul>
      {conflicted && (
        <UndoDialog merge={conflicted.merge} initialConflicts={conflicted.conflicts} clock={clock} onClose={() => setConflicted(null)} />
      )}
    </PanelSection>
  )
}
