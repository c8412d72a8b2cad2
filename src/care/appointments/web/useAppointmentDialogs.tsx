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
  /** The appointment that is looked at. */
  looked: string | null
  onLook: (id: string | null) => void
  /** On a patient's own page: they are not to be opened from it. */
  isOfPatient?: boolean
  onSaved?: (after: AppointmentData) => void
}

/** The drawer and the dialog of appointments, on whatever page shows some. */
export function useAppointmentDialogs({ looked, onLook, isOfPatient = false, onSaved }: Options) {
  const dialogs = useBookingDialogs<AppointmentValues>({
    looked,
    renderDrawer: (id, onEdit) => <AppointmentDrawer id={id} linksPatient={!isOfPatient} onClose={() => onLook(null)} onEdit={onEdit} />,
    renderDialog: (state, close) => <AppointmentDialog state={state} onClose={close} onSaved={onSaved} />,
  })
  return { ...dialogs, prepare: AppointmentDialog.prepare }
}
