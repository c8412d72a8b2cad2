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
import { useMay } from '../../../../ui/client/useMay.ts'
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

/** Who was merged into this patient and can still come back. Nothing where there is no one. */
export function MergedPatients({ contactId, clock, people }: MergedPatientsProps) {
  const cache = useQueryClient()
  const may = useMay()
  const merges = useQuery(orpc.contacts.merges.queryOptions({ input: { id: contactId }, enabled: may('contacts.merges') }))
  const [busy, setBusy] = useState<string | null>(null)
  const [asking, setAsking] = useState<{ merge: { id: string; sourceName: string }; conflicts: UndoConflicts } | null>(null)
  if (!merges.data || merges.data.length === 0) return null

  async function undo(merge: { id: string; sourceName: string }) {
    setBusy(merge.id)
    const conflicts = await undoMerge(cache, merge)
    setBusy(null)
    if (conflicts) setAsking({ merge, conflicts })
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
              busy={busy === merge.id}
              onClick={() => void undo(merge)}
            >
              Undo
            </Button>
          </li>
        ))}
      </ul>
      {asking && <UndoDialog merge={asking.merge} found={asking.conflicts} clock={clock} onClose={() => setAsking(null)} />}
    </PanelSection>
  )
}
