import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { patientName, type SurgeryInList } from '../surgery-data.ts'

interface CompleteDialogProps {
  surgery: SurgeryInList
  isBusy: boolean
  onComplete: () => Promise<void>
  onClose: () => void
}

/** Asks for confirmation before completing a surgery with missing items, and lists them. */
export default function CompleteDialog({ surgery, isBusy, onComplete, onClose }: CompleteDialogProps) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Complete with items open?"
      action={{ label: 'Complete anyway', busyLabel: 'Completing…' }}
      cancelLabel="Not yet"
      isBusy={isBusy}
      onConfirm={() => void onComplete()}
    >
      <p>{patientName(surgery)}: these items were due before the surgery and are not ticked.</p>
      <ul aria-label="Still open" className="mt-2 list-disc pl-5 text-fg">
        {surgery.missing.map(({ id, words }) => (
          <li key={id}>{words}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
