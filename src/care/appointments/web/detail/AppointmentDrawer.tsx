import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Fact, Facts } from '../../../../ui/display/Facts.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { useVisitTypes } from '../../../availability/web/embed/useAvailability.ts'
import { BookingDrawer } from '../../../calendar/web/embed/booking/BookingDrawer.tsx'
import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import { type Names, providerName, roomName, useNames } from '../../../calendar/web/embed/names.ts'
import { formatDuration, formatWhen } from '../../../calendar/web/embed/times.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { StatusBadge } from '../StatusMark.tsx'
import { typeLabels } from '../embed/labels.ts'
import { VisitMoneyContext } from '../embed/visit-money.ts'
import { AppointmentActions } from './AppointmentActions.tsx'
import { AppointmentEmails } from './AppointmentEmails.tsx'

interface AppointmentDrawerProps {
  id: string
  /** False on the patient's own page. */
  linksPatient: boolean
  onClose: () => void
  onEdit: (kind: 'edit' | 'move') => void
}

/** The drawer of an appointment: details, emails and actions. */
export default function AppointmentDrawer({ id, linksPatient, onClose, onEdit }: AppointmentDrawerProps) {
  const found = useQuery(orpc.appointments.get.queryOptions({ input: { id } }))
  const names = useNames()
  const money = useContext(VisitMoneyContext)
  const mayChange = usePermission()('appointments.change')
  return (
    <BookingDrawer
      noun="appointment"
      found={found}
      renderBadge={({ status }) => <StatusBadge status={status} />}
      renderActions={(appointment) => mayChange && <AppointmentActions appointment={appointment} names={names} onEdit={onEdit} />}
      linksPatient={linksPatient}
      onClose={onClose}
    >
      {(appointment) => (
        <div className="flex flex-col gap-5">
          <AppointmentFacts appointment={appointment} names={names} />
          {money.section({ appointmentId: appointment.id, status: appointment.status })}
          <AppointmentEmails appointment={appointment} />
        </div>
      )}
    </BookingDrawer>
  )
}

function AppointmentFacts({ appointment, names }: { appointment: AppointmentData; names: Names }) {
  const clock = useClock()
  const { type, visitTypeId, providerId, secondPersonId, roomId, cancelReason, notes } = appointment
  const visitTypes = useVisitTypes().data
  const visitType = visitTypes?.find(({ id }) => id === visitTypeId)
  const room = names.rooms.find(({ id }) => id === roomId)
  return (
    <div className="flex flex-col gap-5">
      <Facts>
        <Fact label="When">
          <span className="font-medium tabular-nums">{formatWhen(appointment, clock)}</span>
          <span className="block text-xs text-fg-3">{formatDuration(lengthOf(appointment))}</span>
        </Fact>
        {visitType && <Fact label="Visit">{visitType.name}</Fact>}
        {appointment.seriesNumber !== null && (
          <Fact label="Series">
            Visit {appointment.seriesNumber} of {appointment.seriesVisits}
          </Fact>
        )}
        <Fact label="Type">{typeLabels[type]}</Fact>
        <Fact label="Provider">{providerName(providerId, names) ?? <None />}</Fact>
        {secondPersonId !== null && <Fact label="Second person">{providerName(secondPersonId, names)}</Fact>}
        <Fact label="Room">
          {roomName(roomId, names) ?? <None />}
          {room?.location && <span className="block text-xs text-fg-3">{room.location}</span>}
        </Fact>
        {cancelReason !== null && <Fact label="Cancelled">{cancelReason}</Fact>}
      </Facts>
      {notes !== null && (
        <section>
          <h3 className="pb-1 text-sm font-semibold text-fg">Notes</h3>
          <p className="max-w-[60ch] text-sm whitespace-pre-wrap text-fg">{notes}</p>
        </section>
      )}
    </div>
  )
}
