import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../../ui/overlays/Dialog.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { Textarea } from '../../../../../ui/controls/Textarea.tsx'

interface ReasonDialogProps {
  /** What is cancelled: 'appointment'. */
  noun: string
  /** The error if no reason is given. */
  missing: string
  isBusy: boolean
  onCancel: (reason: string) => Promise<void>
  onClose: () => void
  /** Describes the booking and the consequences. */
  children: ReactNode
  /** More fields, below the reason. */
  after?: ReactNode
}

/** Asks for the reason of a cancellation. */
export function ReasonDialog({ noun, missing, isBusy, onCancel, onClose, children, after }: ReasonDialogProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [hasSubmitted, setSubmitted] = useState(false)
  const isMissing = reason.trim() === ''
  return (
    <Dialog onClose={onClose} title={`Cancel this ${noun}?`} dismissible={!isBusy}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          setSubmitted(true)
          if (isMissing) field.current?.focus()
          else void onCancel(reason)
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          <p className="text-md text-fg-2">{children}</p>
          <Field label="Reason" error={hasSubmitted && isMissing ? missing : undefined}>
            <Textarea ref={field} value={reason} maxLength={500} rows={2} onChange={({ target }) => setReason(target.value)} />
          </Field>
          {after}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Keep {noun}
          </Button>
          <Button type="submit" size="lg" variant="danger-filled" busy={isBusy} busyLabel="Cancelling…">
            Cancel {noun}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
