import { useContext, useState } from 'react'
import { ReasonDialog } from '../../../calendar/web/embed/booking/ReasonDialog.tsx'
import { formatWhen } from '../../../calendar/web/embed/times.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { RadioGroup } from '../../../../ui/controls/RadioGroup.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { appointmentMessages } from '../../contract.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { typeLabels } from '../embed/labels.ts'
import { VisitMoneyContext } from '../embed/visit-money.ts'

interface CancelDialogProps {
  appointment: AppointmentData
  isBusy: boolean
  onCancel: (given: { reason: string; notifiesPatient: boolean; andFollowing: boolean }) => Promise<void>
  onClose: () => void
}

export default function CancelDialog({ appointment, isBusy, onCancel, onClose }: CancelDialogProps) {
  const clock = useClock()
  const money = useContext(VisitMoneyContext)
  const [notifiesPatient, setNotifiesPatient] = useState(appointment.notifiesPatient)
  const [extent, setExtent] = useState<'one' | 'following'>('one')
  // The last visit of a series has none that follow.
  const hasFollowing = appointment.seriesNumber !== null && appointment.seriesNumber !== appointment.seriesVisits
  return (
    <ReasonDialog
      noun="appointment"
      missing={appointmentMessages.reason}
      isBusy={isBusy}
      onCancel={(reason) => onCancel({ reason, notifiesPatient, andFollowing: extent === 'following' })}
      onClose={onClose}
      after={
        <>
          {hasFollowing && (
            <Field label="Visits to cancel">
              <RadioGroup
                value={extent}
                onValueChange={setExtent}
                options={[
                  { value: 'one', label: 'Only this visit' },
                  { value: 'following', label: 'This and the following' },
                ]}
              />
            </Field>
          )}
          {appointment.notifiesPatient && (
            <CheckboxLine checked={notifiesPatient} onCheckedChange={setNotifiesPatient} hint="The email does not include the reason.">
              Email the patient
            </CheckboxLine>
          )}
        </>
      }
    >
      {patientName(appointment)}, {typeLabels[appointment.type].toLowerCase()}, {formatWhen(appointment, clock)} The time becomes available
      again, and a rebooking task is created.
      {money.cancellation({ appointmentId: appointment.id })}
    </ReasonDialog>
  )
}
