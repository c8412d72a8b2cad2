import { useState, type SubmitEvent } from 'react'
import { client, messageOf } from '../../../../web/api.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { CheckboxLine } from '../../../../web/ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../web/ui/Dialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { Input } from '../../../../web/ui/Input.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import type { ViewedList } from '../../contract.ts'
import type { View } from './useViews.ts'

interface ViewDialogProps {
  /** The one to rename; null for a new one. */
  view: View | null
  /** What a new one shows. */
  list: ViewedList
  onClose: () => void
  onSaved: (view: { id: string; list: ViewedList }) => void
}

const longestName = 60
/** How many more fit is told from here on. */
const toldFrom = 15

/** The name of a view; of a new one, also who may open it. */
export default function ViewDialog({ view, list, onClose, onSaved }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(false)
  const [isNameMissing, setNameMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const left = longestName - name.length

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
      const saved = view ? await client.savedViews.update({ id: view.id, name }) : await client.savedViews.create({ name, isShared, list })
      toast.success(view ? `The view is called ${saved.name}` : `${saved.name} was saved`)
      onSaved(saved)
    } catch (error) {
      toast.error('The view was not saved', messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={view ? 'Rename view' : 'Save view'} dismissible={!isBusy}>
      <form noValidate className={dialogForm} onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          <Field
            label="Name"
            hint={left <= toldFrom ? `${left} ${left === 1 ? 'character' : 'characters'} left` : undefined}
            error={isNameMissing && name.trim() === '' ? 'Name is required' : undefined}
          >
            <Input
              data-autofocus
              value={name}
              maxLength={longestName}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          {!view && (
            <CheckboxLine
              checked={isShared}
              onCheckedChange={setShared}
              hint="Colleagues find it among their views. Only you can change it."
            >
              Share with everybody
            </CheckboxLine>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" variant="filled" type="submit" busy={isBusy} busyLabel="Saving...">
            {view ? 'Rename view' : 'Save view'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
