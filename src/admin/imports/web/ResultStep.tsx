import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { saveLinked } from '../../../ui/client/save-file.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import type { StepProps } from './calls.ts'
import { Counts } from './Counts.tsx'
import { Findings } from './Findings.tsx'
import { StepFrame } from './StepFrame.tsx'
import { kindWords, things } from './labels.ts'

/** What became of it: the counts, the refused rows as a file, and the way back. */
export function ResultStep({ data, onChanged }: StepProps) {
  const cache = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const undo = useMutation(
    orpc.imports.undo.mutationOptions({
      onSuccess: onChanged,
      onError: (error) => toast.error('This was not undone', messageOf(error)),
    }),
  )
  useEffect(() => {
    for (const part of [orpc.contacts, orpc.tasks, orpc.interactions, orpc.documents])
      void cache.invalidateQueries({ queryKey: part.key() })
  }, [cache])
  const { kind } = data
  const { label } = kindWords[kind]
  const { added, filled, skipped, errors } = data.result ?? { added: 0, filled: 0, skipped: 0, errors: 0 }
  const isUndone = data.status === 'undone'

  return (
    <StepFrame
      actions={
        <>
          {data.canUndo && (
            <Button size="lg" icon={<Undo2 />} busy={undo.isPending} busyLabel="Undoing…" onClick={() => setAsking(true)}>
              Undo import
            </Button>
          )}
          <Button asChild size="lg" variant="filled" className="max-md:flex-1">
            {kind === 'tasks' ? (
              <Link to="/tasks" search={{ whose: 'everyone' }}>
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
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Undo this import?"
        confirmLabel="Undo import"
        danger
        onConfirm={() => {
          setAsking(false)
          undo.mutate({ id: data.id })
        }}
      >
        {things(kind, added)} {added === 1 ? 'is' : 'are'} taken out again
        {filled > 0 && `, and what was filled in for ${things(kind, filled)} is taken back`}. What has changed since is kept.
      </ConfirmDialog>
      {data.status === 'cancelled' && (
        <Alert tone="warning" title="The import was stopped.">
          What was imported before that stays.
        </Alert>
      )}
      {isUndone ? (
        <Counts
          title="The import was undone"
          counts={[
            { label: kind === 'patients' ? 'Patients removed or restored' : `${label} taken back`, count: data.undone },
            { label: `${label} kept`, count: data.kept, note: data.kept > 0 ? 'They have changed since the import.' : undefined },
          ]}
        />
      ) : (
        <Counts
          title={data.status === 'done' ? `${things(kind, added)} added` : 'What was imported'}
          counts={[
            { label: 'Added', count: added },
            ...(kind === 'patients' ? [{ label: 'Filled in', count: filled }] : []),
            { label: 'Skipped', count: skipped },
            { label: 'Refused', count: errors },
          ]}
        />
      )}
      {errors > 0 && (
        <div>
          <Button asChild icon={<Download />}>
            <a href={`/api/imports/${data.id}/errors.csv`} download onClick={saveLinked}>
              Download refused rows
            </a>
          </Button>
          <p className="pt-2 text-sm text-fg-3">With the reason for each row: fix them and import that file.</p>
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
