import { useRef, useState } from 'react'
import { useClock } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { CheckboxLine } from '../../../../web/ui/Checkbox.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../web/ui/Dialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { Textarea } from '../../../../web/ui/Textarea.tsx'
import { appointmentMessages } from '../../contract.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { typeLabels, whenInWords } from '../words.ts'

interface CancelDialogProps {
  appointment: AppointmentData
  isBusy: boolean
  onCancel: (given: { reason: string; tellsPatient: boolean }) => Promise<void>
  onClose: () => void
}

/** Asks why. */
export default function CancelDialog({ appointment, isBusy, onCancel, onClose }: CancelDialogProps) {
  const clock = useClock()
  const field = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [tellsPatient, setTellsPatient] = useState(appointment.tellsPatient)
  const [isTried, setTried] = useState(false)
  const isMissing = reason.trim() === ''
  return (
    <Dialog open onOpenChange={onClose} title="Cancel this appointment?" dismissible={!isBusy}>
      <form
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          setTried(true)
          if (isMissing) field.current?.focus()
          else void onCancel({ reason, tellsPatient })
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          <p className="text-md text-fg-2">
            {patientName(appointment)}, {typeLabels[appointment.type].toLowerCase()}, {whenInWords(appointment, clock)} The time is free
            again, and a task is made to book another.
          </p>
          <Field label="Reason" error={isTried && isMissing ? appointmentMessages.reason : undefined}>
            <Textarea ref={field} value={reason} maxLength={500} rows={2} onChange={({ target }) => setReason(target.value)} />
          </Field>
          {appointment.tellsPatient && (
            <CheckboxLine checked={tellsPatient} onCheckedChange={setTellsPatient} hint="The email does not say why.">
              Tell the patient by email
            </CheckboxLine>
          )}
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" size="lg" variant="danger-filled" busy={isBusy} busyLabel="Cancelling...">
            Cancel appointment
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
