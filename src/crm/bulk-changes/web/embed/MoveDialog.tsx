import { Button } from '../../../../ui/controls/Button.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { awaitResult } from '../../../contacts/web/embed/awaited-changes.ts'

interface MoveDialogProps {
  /** What is to be deleted. */
  what: 'source' | 'procedure'
  name: string
  /** Who has it: '162 patients'. */
  users: string
  /** Whether `users` is one. */
  isOne: boolean
  /** What they can be moved to. */
  others: readonly { id: string; name: string }[]
  onMove: (to: string) => Promise<{ bulkChangeId: string; total: number }>
  /** Undefined: it is retired already. */
  onRetire: (() => Promise<unknown>) | undefined
  onDone: () => void
  onClose: () => void
}

/** Asks what to do with the patients of a source or procedure before it is deleted: move them to another, or retire it. */
export function MoveDialog({ what, name, users, isOne, others, onMove, onRetire, onDone, onClose }: MoveDialogProps) {
  const form = useActionForm({
    initial: { to: null as string | null, isRetiring: false },
    check: ({ to, isRetiring }) => ({ to: to === null && !isRetiring ? `Choose a ${what}` : undefined }),
    refusals: { NOT_INTO: 'to' },
    async send({ to, isRetiring }) {
      if (isRetiring) {
        await onRetire?.()
        return `${name} retired`
      }
      const { bulkChangeId, total } = await onMove(to!)
      if (total === 0) return `${users} moved to ${others.find(({ id }) => id === to)?.name}`
      // A message with Undo appears when it is done, on whatever page is open then.
      awaitResult(bulkChangeId)
      return undefined
    },
    done: (said) => said,
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
          {users} {isOne ? 'has' : 'have'} this {what}. Move them to another {what}
          {onRetire ? ', or retire it: they keep it, and it is no longer offered.' : ' first.'}
        </>
      }
      form={{ ...form, submit: () => submit(false) }}
      action={{ label: `Move ${users}`, busyLabel: values.isRetiring ? 'Retiring...' : 'Moving...' }}
      onClose={onClose}
      extra={
        onRetire && (
          <Button size="lg" className="mr-auto" disabled={isBusy} onClick={() => void submit(true)}>
            Retire {what}
          </Button>
        )
      }
    >
      <Field
        label="Move to"
        error={form.problems.to}
        hint="Each move appears on the patient’s timeline and can be undone. Then you can delete it."
      >
        <Select
          {...form.bind('to')}
          placeholder={`Choose a ${what}`}
          options={others.map((other) => ({ value: other.id, label: other.name }))}
        />
      </Field>
    </ActionDialog>
  )
}
