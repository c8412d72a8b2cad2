import { useState, type SubmitEvent } from 'react'
import { messageOf } from './client/api.ts'
import { Button } from './Button.tsx'
import { CheckboxLine } from './Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from './Dialog.tsx'
import { Field } from './Field.tsx'
import { Input } from './Input.tsx'
import { toast } from './toast.ts'

interface NameDialogProps {
  /** What is named: 'view'. */
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
/** How many more characters fit is told from here on. */
const countdownFrom = 15

/** The name of what someone saves for later; of a new one, also whether colleagues see it. */
export function NameDialog({ noun, name: before, shareHint, onClose, onSave }: NameDialogProps) {
  const [name, setName] = useState(before ?? '')
  const [isShared, setShared] = useState(false)
  const [isNameMissing, setNameMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const left = maxNameLength - name.length
  const action = before === null ? `Save ${noun}` : `Rename ${noun}`

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    if (isBusy) return
    if (name.trim() === '') {
      setNameMissing(true)
      return
    }
    setBusy(true)
    try {
      const after = await onSave({ name, isShared })
      toast.success(before === null ? `${after} was saved` : `The ${noun} is called ${after}`)
    } catch (error) {
      toast.error(`The ${noun} was not saved`, messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={action} dismissible={!isBusy}>
      <form noValidate className={dialogForm} onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          <Field
            label="Name"
            hint={left <= countdownFrom ? `${left} ${left === 1 ? 'character' : 'characters'} left` : undefined}
            error={isNameMissing && name.trim() === '' ? 'Name is required' : undefined}
          >
            <Input
              data-autofocus
              value={name}
              maxLength={maxNameLength}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          {before === null && (
            <CheckboxLine checked={isShared} onCheckedChange={setShared} hint={shareHint}>
              Share with everyone
            </CheckboxLine>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" variant="filled" type="submit" busy={isBusy} busyLabel="Saving...">
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
