import { Button } from '../../../../ui/controls/Button.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { awaitResult } from '../../../contacts/web/embed/awaited-changes.ts'

/** The record to delete. */
interface UsedRecord {
  kind: 'source' | 'procedure'
  name: string
  /** What uses it: '162 patients'. */
  users: string
  /** Whether `users` is singular. */
  isOne: boolean
}

interface MoveDialogProps {
  record: UsedRecord
  /** The possible targets. */
  others: readonly { id: string; name: string }[]
  onMove: (to: string) => Promise<{ bulkChangeId: string; total: number }>
  /** Undefined if it is already retired. */
  onRetire: (() => Promise<unknown>) | undefined
  onDone: () => void
  onClose: () => void
}

/** Offers to move the patients of a source or procedure before it is deleted, or to retire it instead. */
export function MoveDialog({ record, others, onMove, onRetire, onDone, onClose }: MoveDialogProps) {
  const { kind, name, users, isOne } = record
  const form = useActionForm({
    initial: { to: null as string | null, isRetiring: false },
    check: ({ to, isRetiring }) => ({ to: to === null && !isRetiring ? `Choose a ${kind}` : undefined }),
    refusals: { INVALID_TARGET: 'to' },
    async send({ to, isRetiring }) {
      if (isRetiring) {
        await onRetire?.()
        return `${name} retired`
      }
      const { bulkChangeId, total } = await onMove(to!)
      if (total === 0) return `${users} moved to ${others.find(({ id }) => id === to)?.name}`
      // A toast with Undo appears when the move has finished, on whichever page is open then.
      awaitResult(bulkChangeId)
      return undefined
    },
    done: (message) => message,
    onDone() {
      onDone()
      onClose()
    },
  })
  const { isBusy, values } = form
  function submit(isRetiring: boolean) {
    form.set({ isRetiring })
    return form.submit()
  }

  return (
    <ActionDialog
      title={`Delete ${name}?`}
      description={
        <>
          {users} {isOne ? 'has' : 'have'} this {kind}. Move them to another {kind}
          {onRetire ? ', or retire it: they keep it, and it is no longer offered.' : ' first.'}
        </>
      }
      form={{ ...form, submit: () => submit(false) }}
      action={{ label: `Move ${users}`, busyLabel: values.isRetiring ? 'Retiring…' : 'Moving…' }}
      onClose={onClose}
      footer={{
        start: onRetire && (
          <Button size="lg" className="mr-auto" disabled={isBusy} onClick={() => void submit(true)}>
            Retire {kind}
          </Button>
        ),
      }}
    >
      <Field
        label="Move to"
        error={form.problems.to}
        hint={`Each move appears on the patient’s timeline and can be undone. Once the move has finished, you can delete the ${kind}.`}
      >
        <Select
          {...form.bind('to')}
          placeholder={`Choose a ${kind}`}
          options={others.map((other) => ({ value: other.id, label: other.name }))}
        />
      </Field>
    </ActionDialog>
  )
}
