import { useQuery } from '@tanstack/react-query'
import { AdverseEvents } from '../../care/adverse-events/web/embed/AdverseEvents.tsx'
import { upcomingStatuses } from '../../care/surgeries/rules.ts'
import { PatientImplants } from '../../care/implants/web/embed/PatientImplants.tsx'
import { PatientFormsToReview } from '../../chart/forms/web/embed/FormsToReview.tsx'
import { PatientConsents } from '../../chart/consent-forms/web/embed/PatientConsents.tsx'
import { PatientHealth } from '../../chart/health/web/embed/PatientHealth.tsx'
import { PatientNotes } from '../../chart/notes/web/embed/PatientNotes.tsx'
import type { ContactData } from '../../crm/contacts/web/embed/contact-data.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { orpc } from '../../ui/client/api.ts'
import { usePermission } from '../../ui/client/usePermission.ts'
import type { Clock } from '../../ui/format.ts'

/** The clinical record: the health summary, then what other features add below its lists. */
export function ChartTab({ patient, clock }: { patient: ContactData; clock: Clock }) {
  return (
    <PatientHealth
      contactId={patient.id}
      nextSurgeryOn={useNextSurgeryDay(patient.id, clock)}
      aside={<PatientFormsToReview patient={patient} />}
      below={<PatientConsents contactId={patient.id} />}
    >
      <PatientImplants contactId={patient.id} />
      <PatientNotes contactId={patient.id} />
      <div className="pt-6">
        <AdverseEvents contact={patient} />
      </div>
    </PatientHealth>
  )
}

/** The day of the patient's next surgery, 'yyyy-MM-dd'; null if none is booked. */
function useNextSurgeryDay(contactId: string, { now, timeZone }: Clock): string | null {
  const isAllowed = usePermission()('surgeries.ofContact')
  // The header of the page asks for the same.
  const surgeries = useQuery(orpc.surgeries.ofContact.queryOptions({ input: { contactId }, enabled: isAllowed }))
  // Newest first.
  const next = surgeries.data?.findLast(
    ({ status, endsAt }) => upcomingStatuses.includes(status) && Date.parse(endsAt) > new Date(now).getTime(),
  )
  return next ? toLocal(next.startsAt, timeZone).day : null
}
