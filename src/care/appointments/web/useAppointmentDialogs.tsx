import { useBookingDialogs } from '../../calendar/web/embed/booking/useBookingDialogs.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import type { AppointmentData } from './appointment-data.ts'
import type { AppointmentValues } from './form/appointment-values.ts'

const AppointmentDialog = lazyDialog(
  () => import('./form/AppointmentDialog.tsx'),
  ({ onClose }) => onClose(),
)
const AppointmentDrawer = lazyDialog(
  () => import('./detail/AppointmentDrawer.tsx'),
  ({ onClose }) => onClose(),
)

interface Options {
  /** The appointment whose drawer is open. */
  viewedId: string | null
  onView: (id: string | null) => void
  /** On the patient's own page, which has no link to the patient. */
  isPatientPage?: boolean
  onSaved?: (after: AppointmentData) => void
}

/** The drawer and the dialog of appointments, for any page that lists them. */
export function useAppointmentDialogs({ viewedId, onView, isPatientPage = false, onSaved }: Options) {
  const dialogs = useBookingDialogs<AppointmentValues>({
    viewedId,
    renderDrawer: (id, onEdit) => <AppointmentDrawer id={id} linksPatient={!isPatientPage} onClose={() => onView(null)} onEdit={onEdit} />,
    renderDialog: (state, close) => <AppointmentDialog state={state} onClose={close} onSaved={onSaved} />,
  })
  return { ...dialogs, prepare: AppointmentDialog.prepare }
}
