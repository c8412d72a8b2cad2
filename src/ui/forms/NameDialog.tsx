import { ActionDialog } from './ActionDialog.tsx'
import { CheckboxLine } from '../controls/Checkbox.tsx'
import { Field } from './Field.tsx'
import { Input } from '../controls/Input.tsx'
import { toast } from '../overlays/toast.ts'
import { useActionForm } from './useActionForm.ts'

interface NameDialogProps {
  /** The kind of item being named, such as 'view'. */
  noun: string
  /** Current name; null for a new item. */
  name: string | null
  /** Effect of sharing a new item. */
  shareHint: string
  onClose: () => void
  /** The new name. */
  onSave: (given: { name: string; isShared: boolean }) => Promise<string>
}

const maxNameLength = 60
/** The hint counts down from this many characters left. */
const countdownFrom = 15

/** Names a saved item; for a new one, also whether it is shared. */
export function NameDialog({ noun, name: before, shareHint, onClose, onSave }: NameDialogProps) {
  const form = useActionForm({
    initial: { name: before ?? '', isShared: false },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Name is required' : undefined }),
    send: onSave,
    done: (after) => (before === null ? `${after} was saved` : `The ${noun} is called ${after}`),
    failed: (message) => toast.error(`The ${noun} was not saved`, message),
  })
  const left = maxNameLength - form.values.name.length
  const label = before === null ? `Save ${noun}` : `Rename ${noun}`
  return (
    <ActionDialog title={label} form={form} action={{ label }} onClose={onClose}>
      <Field
        label="Name"
        hint={left <= countdownFrom ? `${left} ${left === 1 ? 'character' : 'characters'} left` : undefined}
        error={form.problems.name}
      >
        <Input data-autofocus {...form.text('name')} maxLength={maxNameLength} autoComplete="off" />
      </Field>
      {before === null && (
        <CheckboxLine {...form.tick('isShared')} hint={shareHint}>
          Share with everyone
        </CheckboxLine>
      )}
    </ActionDialog>
  )
}
