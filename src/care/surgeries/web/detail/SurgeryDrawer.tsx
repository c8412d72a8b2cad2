import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { SurgeryConsents } from '../../../../chart/consent-forms/web/embed/SurgeryConsents.tsx'
import { AllergyBanner } from '../../../../chart/health/web/embed/AllergyBanner.tsx'
import { AdverseEvents } from '../../../adverse-events/web/embed/AdverseEvents.tsx'
import { SurgeryCheckIns } from '../../../check-ins/web/embed/SurgeryCheckIns.tsx'
import { BookingDrawer } from '../../../calendar/web/embed/booking/BookingDrawer.tsx'
import { SurgeryDevices } from '../../../implants/web/embed/SurgeryDevices.tsx'
import { useNames } from '../../../calendar/web/embed/names.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { upcomingStatuses } from '../../rules.ts'
import { StatusBadge } from '../StatusMark.tsx'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'
import { Checklist } from '../checklist/Checklist.tsx'
import { Readiness } from '../checklist/Readiness.tsx'
import { SafetySummary } from '../safety/SafetySummary.tsx'
import { SurgeryActions } from './SurgeryActions.tsx'
import { SurgeryFacts } from './SurgeryFacts.tsx'

interface SurgeryDrawerProps {
  id: string
  /** The checklist item to focus. */
  item?: string | undefined
  /** False on the patient's own page. */
  linksPatient: boolean
  onClose: () => void
  onEdit: (kind: 'edit' | 'move') => void
}

/** The drawer of a surgery: readiness, details, checklist and actions. */
export default function SurgeryDrawer({ id, item, linksPatient, onClose, onEdit }: SurgeryDrawerProps) {
  // Its missing items may have changed while this page did not listen to events.
  const found = useQuery(orpc.surgeries.get.queryOptions({ input: { id }, staleTime: 0 }))
  const names = useNames()
  const mayChange = usePermission()('surgeries.change')
  const { data } = found
  useLiveSurgeries(useMemo(() => (data ? [data] : []), [data]))
  return (
    <BookingDrawer
      noun="surgery"
      found={found}
      renderBadge={({ shownStatus }) => <StatusBadge status={shownStatus} />}
      renderActions={(surgery) => mayChange && <SurgeryActions surgery={surgery} names={names} onEdit={onEdit} />}
      linksPatient={linksPatient}
      onClose={onClose}
    >
      {(surgery) => (
        <div className="flex flex-col gap-6">
          <AllergyBanner contactId={surgery.contact.id} isInset />
          <Readiness surgery={surgery} />
          <SurgeryFacts surgery={surgery} names={names} />
          <SurgeryConsents surgeryId={surgery.id} contactId={surgery.contact.id} />
          <SurgeryDevices surgeryId={surgery.id} surgeonId={surgery.surgeonId} isOpen={upcomingStatuses.includes(surgery.status)} />
          <SafetySummary surgery={surgery} names={names} />
          <Checklist surgery={surgery} names={names} opened={item} />
          <SurgeryCheckIns surgeryId={surgery.id} contactId={surgery.contact.id} />
          <AdverseEvents contact={surgery.contact} surgeryId={surgery.id} />
        </div>
      )}
    </BookingDrawer>
  )
}
