import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/overlays/Dialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'

interface NoteDialogProps {
  title: string
  note: string | null
  maxLength: number
  /** Returns whether the note was saved. */
  onSave: (note: string | null) => Promise<boolean>
  onClose: () => void
}

/** Edits the note of an item. Saving an empty note removes it. */
export default function NoteDialog({ title, note: before, maxLength, onSave, onClose }: NoteDialogProps) {
  const [note, setNote] = useState(before ?? '')
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog onClose={onClose} title={title} dismissible={!isBusy}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={async (event) => {
          event.preventDefault()
          event.stopPropagation()
          setBusy(true)
          if (await onSave(note.trim() === '' ? null : note)) onClose()
          else setBusy(false)
        }}
      >
        <DialogBody>
          <Field label="Note" optional>
            <Textarea value={note} rows={3} maxLength={maxLength} onChange={({ target }) => setNote(target.value)} />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isBusy} busyLabel="Saving…">
            Save note
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
