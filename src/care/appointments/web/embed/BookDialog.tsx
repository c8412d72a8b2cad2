import type { AppointmentPatient } from '../appointment-data.ts'
import AppointmentDialog from '../form/AppointmentDialog.tsx'

/** Books an appointment for a patient, from any page. */
export default function BookDialog({ patient, onClose }: { patient: AppointmentPatient; onClose: () => void }) {
  return <AppointmentDialog state={{ kind: 'new', patient, given: {} }} onClose={onClose} />
}
