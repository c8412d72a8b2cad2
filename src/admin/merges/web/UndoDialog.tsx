import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatFieldValue } from '../../../crm/contacts/web/embed/field-labels.ts'
import type { Directory } from '../../../crm/contacts/web/embed/directory.ts'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { fieldLabels } from '../../../crm/contacts/derived-fields.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/overlays/Dialog.tsx'
import type { Clock } from '../../../ui/format.ts'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { type ContactTable, patientTableNames } from '../../../kernel/patient-tables/rules.ts'
import { type Decisions, undoMerge, type UndoConflicts } from './undo.ts'

type Conflict = UndoConflicts['conflicts'][number]

interface UndoDialogProps {
  merge: { id: string; sourceName: string }
  initialConflicts: UndoConflicts
  clock: Clock
  onClose: () => void
}

/** Asks for each change made since the merge whether to keep it or to restore the earlier state. Nothing is undone before that. */
export default function UndoDialog({ merge, initialConflicts, clock, onClose }: UndoDialogProps) {
  const cache = useQueryClient()
  const directory = useDirectory()
  const [{ version, conflicts }, setConflicts] = useState(initialConflicts)
  const [decisions, setDecisions] = useState<Decisions>({})
  const [busy, setBusy] = useState(false)

  async function undo() {
    setBusy(true)
    const decided = Object.fromEntries(conflicts.map(({ key }) => [key, decisions[key] ?? 'keep']))
    const newConflicts = await undoMerge(cache, merge, { decisions: decided, version })
    setBusy(false)
    if (newConflicts) setConflicts(newConflicts)
    else onClose()
  }

  return (
    <Dialog
      onClose={onClose}
      size="md"
      title="Changed since the merge"
      description={`Nothing has been undone yet. Choose what to keep when ${merge.sourceName} is restored.`}
      dismissible={!busy}
    >
      <DialogBody className="py-0 md:py-0">
        {conflicts.map((conflict) => {
          const { title, keep, restore } = describeConflict(conflict, directory, clock)
          return (
            <fieldset key={conflict.key} className="border-b border-line py-4 last:border-b-0">
              <legend className="float-left w-full pb-3 text-md font-semibold break-words text-fg">{title}</legend>
              <RadioGroup
                aria-label={title}
                className="clear-both"
                value={decisions[conflict.key] ?? 'keep'}
                onValueChange={(decision) => setDecisions({ ...decisions, [conflict.key]: decision })}
                options={[
                  { value: 'keep', label: keep },
                  { value: 'restore', label: restore },
                ]}
              />
            </fieldset>
          )
        })}
      </DialogBody>
      <DialogFooter>
        <Button size="lg" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button size="lg" variant="filled" busy={busy} busyLabel="Undoing…" onClick={() => void undo()}>
          Undo merge
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function describeConflict({ kind, of, title, before, now }: Conflict, directory: Directory, clock: Clock) {
  if (kind === 'field') {
    const formatValues = (values: Record<string, unknown> | null) =>
      Object.values(values ?? {})
        .filter((value) => value !== null && !(Array.isArray(value) && value.length === 0))
        .map((value) => (Array.isArray(value) ? value.join(', ') : formatFieldValue(of, value, directory, clock)))
        .join(', ') || 'Nothing'
    return {
      title: fieldLabels[of] ?? of,
      keep: `Keep later edit: ${formatValues(now)}`,
      restore: `Restore value before merge: ${formatValues(before)}`,
    }
  }
  const name = patientTableNames[of as ContactTable].rows[0]
  const rowName = `${name.charAt(0).toUpperCase()}${name.slice(1)}${title ? ` “${title}”` : ''}`
  return kind === 'changed-row'
    ? { title: `${rowName} was changed`, keep: 'Restore with the change', restore: 'Restore without the change' }
    : { title: `${rowName} was removed`, keep: 'Keep removed', restore: 'Restore' }
}
