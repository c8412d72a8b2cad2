import { ReasonDialog } from '../../../calendar/web/embed/booking/ReasonDialog.tsx'
import { formatWhen } from '../../../calendar/web/embed/times.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { surgeryMessages } from '../../contract.ts'
import { patientName, type SurgeryInList } from '../surgery-data.ts'
import { formatProcedures } from '../labels.ts'

interface CancelDialogProps {
  surgery: SurgeryInList
  isBusy: boolean
  onCancel: (reason: string) => Promise<void>
  onClose: () => void
}

export default function CancelDialog({ surgery, ...rest }: CancelDialogProps) {
  const clock = useClock()
  return (
    <ReasonDialog noun="surgery" missing={surgeryMessages.reason} {...rest}>
      Cancelling {formatProcedures(surgery)} for {patientName(surgery)} ({formatWhen(surgery, clock)}) frees the time and clears the
      patient’s surgical date. The patient stays in their stage.
    </ReasonDialog>
  )
}
