import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { BookingDrawer } from '../../../calendar/web/embed/booking/BookingDrawer.tsx'
import { useNames } from '../../../calendar/web/embed/names.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useMay } from '../../../../ui/client/useMay.ts'
import { StatusBadge } from '../StatusMark.tsx'
import { useLiveSurgeries } from '../useLiveSurgeries.ts'
import { Checklist } from '../checklist/Checklist.tsx'
import { Readiness } from '../checklist/Readiness.tsx'
import { SurgeryActions } from './SurgeryActions.tsx'
import { SurgeryFacts } from './SurgeryFacts.tsx'

interface SurgeryDrawerProps {
  id: string
  /** The item of its checklist that it opens at. */
  item?: string | undefined
  /** Where it is not the patient's own page. */
  linksPatient: boolean
  onClose: () => void
  onEdit: (kind: 'edit' | 'move') => void
}

/** All that is known of a surgery, what it waits for, and what can be done with it. */
export default function SurgeryDrawer({ id, item, linksPatient, onClose, onEdit }: SurgeryDrawerProps) {
  // What it waits for may have come while no one listened.
  const found = useQuery(orpc.surgeries.get.queryOptions({ input: { id }, staleTime: 0 }))
  const names = useNames()
  const mayChange = useMay()('surgeries.change')
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
          <Readiness surgery={surgery} />
          <SurgeryFacts surgery={surgery} names={names} />
          <Checklist surgery={surgery} names={names} opened={item} />
        </div>
      )}
    </BookingDrawer>
  )
}
