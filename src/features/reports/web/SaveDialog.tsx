import { useState, type SubmitEvent } from 'react'
import { client, messageOf } from '../../../web/api.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { CheckboxLine } from '../../../web/ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../web/ui/Dialog.tsx'
import { Field } from '../../../web/ui/Field.tsx'
import { Input } from '../../../web/ui/Input.tsx'
import { toast } from '../../../web/ui/toast.ts'
import { savedReportMessages } from '../saved-contract.ts'
import type { WebAsk } from './reports-search.ts'
import type { Saved } from './saved-data.ts'

interface SaveDialogProps {
  /** The one to rename; null for a new one. */
  saved: Saved | null
  /** What a new one asks. */
  ask: WebAsk
  onClose: () => void
  onSaved: (saved: Saved) => void
}

/** The name of a saved report; of a new one, also who may open it. */
export default function SaveDialog({ saved, ask, onClose, onSaved }: SaveDialogProps) {
  const [name, setName] = useState(saved?.name ?? '')
  const [isShared, setShared] = useState(false)
  const [isNameMissing, setNameMissing] = useState(false)
  const [isBusy, setBusy] = useState(false)

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
      const report = saved ? await client.reports.change({ id: saved.id, name }) : await client.reports.save({ name, isShared, ask })
      toast.success(saved ? `The report is called ${report.name}` : `${report.name} was saved`)
      onSaved(report)
    } catch (error) {
      toast.error('The report was not saved', messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={saved ? 'Rename report' : 'Save report'} dismissible={!isBusy}>
      <form noValidate className={dialogForm} onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          <Field label="Name" error={isNameMissing && name.trim() === '' ? savedReportMessages.name : undefined}>
            <Input data-autofocus value={name} maxLength={60} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
          {!saved && (
            <CheckboxLine
              checked={isShared}
              onCheckedChange={setShared}
              hint="Whoever reads reports finds it here. Only you can change it."
            >
              Share with colleagues
            </CheckboxLine>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" variant="filled" type="submit" busy={isBusy} busyLabel="Saving...">
            {saved ? 'Rename report' : 'Save report'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
