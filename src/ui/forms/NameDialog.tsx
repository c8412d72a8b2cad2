import { ActionDialog } from './ActionDialog.tsx'
import { CheckboxLine } from '../controls/Checkbox.tsx'
import { Field } from './Field.tsx'
import { Input } from '../controls/Input.tsx'
import { toast } from '../overlays/toast.ts'
import { useActionForm } from './useActionForm.ts'

interface NameDialogProps {
  /** The kind of thing that gets the name, such as 'view'. */
  noun: string
  /** The name it has; null for a new one. */
  name: string | null
  /** What follows when a new one is shared. */
  shareHint: string
  onClose: () => void
  /** What it is called from now on. */
  onSave: (given: { name: string; isShared: boolean }) => Promise<string>
}

const maxNameLength = 60
/** From this many characters left, the hint counts down. */
const countdownFrom = 15

/** The name of what someone saves for later; of a new one, also whether colleagues see it. */
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
