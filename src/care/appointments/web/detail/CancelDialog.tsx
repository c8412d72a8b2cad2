import { useState } from 'react'
import { ReasonDialog } from '../../../calendar/web/embed/booking/ReasonDialog.tsx'
import { formatWhen } from '../../../calendar/web/embed/times.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { appointmentMessages } from '../../contract.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { typeLabels } from '../labels.ts'

interface CancelDialogProps {
  appointment: AppointmentData
  isBusy: boolean
  onCancel: (given: { reason: string; tellsPatient: boolean }) => Promise<void>
  onClose: () => void
}

export default function CancelDialog({ appointment, isBusy, onCancel, onClose }: CancelDialogProps) {
  const clock = useClock()
  const [tellsPatient, setTellsPatient] = useState(appointment.tellsPatient)
  return (
    <ReasonDialog
      noun="appointment"
      missing={appointmentMessages.reason}
      isBusy={isBusy}
      onCancel={(reason) => onCancel({ reason, tellsPatient })}
      onClose={onClose}
      after={
        appointment.tellsPatient && (
          <CheckboxLine checked={tellsPatient} onCheckedChange={setTellsPatient} hint="The email does not say why.">
            Tell the patient by email
          </CheckboxLine>
        )
      }
    >
      {patientName(appointment)}, {typeLabels[appointment.type].toLowerCase()}, {formatWhen(appointment, clock)} The time is free again, and
      a task is made to book another.
    </ReasonDialog>
  )
}
