import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { ActionDialog } from '../../../../ui/ActionDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useAction } from '../../../../ui/useAction.ts'
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
  const [to, setTo] = useState<string | null>(null)
  /** What was asked for last. */
  const [isRetiring, setRetiring] = useState(false)
  const action = useAction({
    onDone() {
      onDone()
      onClose()
    },
  })
  const wrong: Record<string, string> = to === null && !isRetiring ? { to: `Choose a ${what}` } : {}
  const problems = action.problems(wrong)

  async function move() {
    const { bulkChangeId, total } = await onMove(to!)
    // A message with Undo appears when it is done, on whatever page is open then.
    if (total > 0) awaitResult(bulkChangeId)
    else toast.success(`${users} moved to ${others.find(({ id }) => id === to)?.name}`)
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
      action={{ isBusy: action.isBusy && !isRetiring, tries: action.tries }}
      problems={problems}
      label={`Move ${users}`}
      busyLabel="Moving..."
      onClose={onClose}
      onSubmit={() => {
        setRetiring(false)
        void action.send({ wrong: to === null ? { to: `Choose a ${what}` } : {}, fields: { NOT_INTO: 'to' }, call: move })
      }}
      extra={
        onRetire && (
          <Button
            size="lg"
            className="mr-auto"
            disabled={action.isBusy}
            busy={action.isBusy && isRetiring}
            busyLabel="Retiring..."
            onClick={() => {
              setRetiring(true)
              void action.send({ call: onRetire, done: () => `${name} retired` })
            }}
          >
            Retire {what}
          </Button>
        )
      }
    >
      <Field
        label="Move to"
        error={problems.to}
        hint="Each move appears on the patient’s timeline and can be undone. Then you can delete it."
      >
        <Select
          value={to}
          placeholder={`Choose a ${what}`}
          onValueChange={action.typed(setTo)}
          options={others.map((other) => ({ value: other.id, label: other.name }))}
        />
      </Field>
    </ActionDialog>
  )
}
