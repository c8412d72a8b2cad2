import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { saveLinked } from '../../../ui/client/save-file.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../ui/display/HelpLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { StepProps } from './upload-table.ts'
import { Counts } from './Counts.tsx'
import { Findings } from './Findings.tsx'
import { StepFrame } from './StepFrame.tsx'
import { kindLabels, formatItems } from './labels.ts'

/** The result of an import: counts, rejected rows for download, and undo. */
export function ResultStep({ data, onChanged }: StepProps) {
  const cache = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const undo = useMutation(
    orpc.imports.undo.mutationOptions({
      onSuccess: onChanged,
      onError: (error) => toast.error('The import was not undone', messageOf(error)),
    }),
  )
  useEffect(() => {
    for (const part of [orpc.contacts, orpc.tasks, orpc.interactions, orpc.documents])
      void cache.invalidateQueries({ queryKey: part.key() })
  }, [cache])
  const { kind } = data
  const { label } = kindLabels[kind]
  const { added, filled, skipped, errors } = data.result ?? { added: 0, filled: 0, skipped: 0, errors: 0 }
  const isUndone = data.status === 'undone'

  return (
    <StepFrame
      actions={
        <>
          {data.canUndo && (
            <Button size="lg" icon={<Undo2 />} busy={undo.isPending} busyLabel="Undoing…" onClick={() => setConfirming(true)}>
              Undo import
            </Button>
          )}
          <Button asChild size="lg" variant="filled" className="max-md:flex-1">
            {kind === 'tasks' ? (
              <Link to="/tasks" search={{ show: 'everyone' }}>
                Show tasks
              </Link>
            ) : (
              <Link to="/contacts" search={kind === 'patients' ? { filter: 'added:today' } : {}}>
                Show patients
              </Link>
            )}
          </Button>
        </>
      }
    >
      {isConfirming && (
        <ConfirmDialog
          onClose={() => setConfirming(false)}
          title="Undo this import?"
          action={{ label: 'Undo import', isDanger: true }}
          onConfirm={() => {
            setConfirming(false)
            undo.mutate({ id: data.id })
          }}
        >
          This deletes {formatItems(kind, added)}
          {filled > 0 && ` and reverts the updates to ${formatItems(kind, filled)}`}. Anything changed since the import is kept.
        </ConfirmDialog>
      )}
      {data.status === 'cancelled' && (
        <Alert tone="warning" title="The import was stopped.">
          Records imported before that were kept.
        </Alert>
      )}
      {isUndone ? (
        <Counts
          title="The import was undone"
          counts={[
            { label: kind === 'patients' ? 'Patients removed or restored' : `${label} removed`, count: data.undone },
            { label: `${label} kept`, count: data.kept, note: data.kept > 0 ? 'Changed since the import.' : undefined },
          ]}
        />
      ) : (
        <Counts
          title={data.status === 'done' ? `${formatItems(kind, added)} added` : 'Imported'}
          counts={[
            { label: 'Added', count: added },
            ...(kind === 'patients' ? [{ label: 'Updated', count: filled }] : []),
            { label: 'Skipped', count: skipped },
            { label: 'Rejected', count: errors },
          ]}
        />
      )}
      {errors > 0 && (
        <div>
          <Button asChild icon={<Download />}>
            <a href={`/api/imports/${data.id}/errors.csv`} download onClick={saveLinked}>
              Download rejected rows
            </a>
          </Button>
          <p className="pt-2 text-sm text-fg-3">The file gives the reason for each row. Fix them and import the file again.</p>
          <HelpLink to="import#rows-with-errors">Common reasons</HelpLink>
        </div>
      )}
      <Findings
        id={data.id}
        counts={
          isUndone
            ? { kept: data.kept, error: errors }
            : { error: errors, ...(skipped > 0 && { match: null, duplicate: null }), unnamed: data.checked?.unnamed ?? 0 }
        }
      />
    </StepFrame>
  )
}
