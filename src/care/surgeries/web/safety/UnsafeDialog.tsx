import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { phaseLabels, type SafetyPhase } from '../../safety-rules.ts'
import { patientName, type SurgeryInList } from '../surgery-data.ts'

interface UnsafeDialogProps {
  surgery: SurgeryInList
  open: readonly SafetyPhase[]
  /** Opens the checklist. */
  onOpen: () => void
  onClose: () => void
}

/** Says why a surgery can't be completed yet: phases of its safety checklist are open. */
export default function UnsafeDialog({ surgery, open, onOpen, onClose }: UnsafeDialogProps) {
  const mayOpen = usePermission()('safetyChecklists.get')
  const phases = new Intl.ListFormat('en-CA').format(open.map((phase) => phaseLabels[phase].name.toLowerCase()))
  return (
    <Dialog onClose={onClose} title="The safety checklist is open">
      <DialogBody className="text-md text-fg-2">
        <p>
          {patientName(surgery)}: {phases} {open.length === 1 ? 'is' : 'are'} not confirmed. The surgery can be completed once the checklist
          is done, or waived with a reason.
        </p>
        {!mayOpen && <p className="pt-2">A provider or an administrator can do that.</p>}
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={onClose}>
          {mayOpen ? 'Not now' : 'Close'}
        </Button>
        {mayOpen && (
          <Button size="lg" variant="filled" onClick={onOpen}>
            Open checklist
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}
