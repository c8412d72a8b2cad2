import Inbox from '../../messages/inbox/web/InboxPage.tsx'
import { PatientCard, type PatientCardProps } from '../../messages/inbox/web/embed/patient-card.ts'
import { PatientSequences } from '../../outreach/sequences/web/embed/PatientSequences.tsx'

const renderSequences = (props: PatientCardProps) => <PatientSequences {...props} />

/** The inbox, whose panel shows the patient's sequences. */
export default function InboxPage() {
  return (
    <PatientCard value={renderSequences}>
      <Inbox />
    </PatientCard>
  )
}
