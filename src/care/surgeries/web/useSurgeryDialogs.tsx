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
  /** The case whose drawer is open. */
  viewedId: string | null
  /** The checklist item to focus. */
  viewedItemId?: string | undefined
  onView: (id: string | null) => void
  /** On the patient's own page, which has no link to the patient. */
  isPatientPage?: boolean
  onSaved?: (after: SurgeryData) => void
}

/** The drawer and the dialog of surgeries, for any page that lists them. */
export function useSurgeryDialogs({ viewedId, viewedItemId, onView, isPatientPage = false, onSaved }: Options) {
  const dialogs = useBookingDialogs<SurgeryValues>({
    viewedId,
    renderDrawer: (id, onEdit) => (
      <SurgeryDrawer id={id} item={viewedItemId} linksPatient={!isPatientPage} onClose={() => onView(null)} onEdit={onEdit} />
    ),
    renderDialog: (state, close) => <SurgeryDialog state={state} onClose={close} onSaved={onSaved} />,
  })
  return { ...dialogs, prepare: SurgeryDialog.prepare }
}
