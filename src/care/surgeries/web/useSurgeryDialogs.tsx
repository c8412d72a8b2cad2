import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { useBookingDialogs } from '../../calendar/web/embed/booking/useBookingDialogs.tsx'
import type { SurgeryValues } from './form/surgery-values.ts'
import type { SurgeryData } from './surgery-data.ts'

const SurgeryDialog = lazyDialog(
  () => import('./form/SurgeryDialog.tsx'),
  ({ onClose }) => onClose(),
)
const SurgeryDrawer = lazyDialog(
  () => import('./detail/SurgeryDrawer.tsx'),
  ({ onClose }) => onClose(),
)

interface Options {
  /** The case that is looked at. */
  looked: string | null
  /** The item of its checklist that it opens at. */
  lookedItem?: string | undefined
  onLook: (id: string | null) => void
  /** On a patient's own page: they are not to be opened from it. */
  isOfPatient?: boolean
  onSaved?: (after: SurgeryData) => void
}

/** The drawer and the dialog of surgeries, on whatever page shows some. */
export function useSurgeryDialogs({ looked, lookedItem, onLook, isOfPatient = false, onSaved }: Options) {
  const dialogs = useBookingDialogs<SurgeryValues>({
    looked,
    renderDrawer: (id, onEdit) => (
      <SurgeryDrawer id={id} item={lookedItem} linksPatient={!isOfPatient} onClose={() => onLook(null)} onEdit={onEdit} />
    ),
    renderDialog: (state, close) => <SurgeryDialog state={state} onClose={close} onSaved={onSaved} />,
  })
  return { ...dialogs, prepare: SurgeryDialog.prepare }
}
