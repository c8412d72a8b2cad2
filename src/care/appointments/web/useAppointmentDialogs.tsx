import type { ReactNode } from 'react'
import { useDialogs } from '../../calendar/web/embed/useDialogs.ts'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import type { AppointmentData, AppointmentPatient } from './appointment-data.ts'
import type { AppointmentDialogState } from './form/AppointmentDialog.tsx'

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
  const { state: dialog, open, close } = useDialogs<AppointmentDialogState>()
  const layers: ReactNode = (
    <>
      {looked !== null && (
        <AppointmentDrawer
          id={looked}
          linksPatient={!isOfPatient}
          onClose={() => onLook(null)}
          onEdit={(kind) => {
            open({ kind, id: looked })
          }}
        />
      )}
      {dialog && <AppointmentDialog state={dialog} onClose={close} onSaved={onSaved} />}
    </>
  )
  return {
    layers,
    isOpen: dialog !== null,
    prepare: AppointmentDialog.prepare,
    book: (patient: AppointmentPatient | null, given: Extract<AppointmentDialogState, { kind: 'new' }>['given'] = {}) =>
      open({ kind: 'new', patient, given }),
    edit: (kind: 'edit' | 'move', id: string) => open({ kind, id }),
  }
}
