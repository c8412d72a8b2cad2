import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import { messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorState } from '../../../../ui/EmptyState.tsx'
import { Fact, Facts } from '../../../../ui/Facts.tsx'
import { SideDrawer } from '../../../../ui/SideDrawer.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { None } from '../../../../ui/Table.tsx'
import { useMay } from '../../../../ui/client/useMay.ts'
import { lengthOf } from '../../../calendar/web/embed/entry.ts'
import { type Names, providerName, roomName, useNames } from '../../../calendar/web/embed/names.ts'
import { formatDuration, formatWhen } from '../../../calendar/web/embed/times.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { StatusBadge } from '../StatusMark.tsx'
import { typeLabels } from '../labels.ts'
import { AppointmentActions } from './AppointmentActions.tsx'
import { AppointmentMails } from './AppointmentMails.tsx'

interface AppointmentDrawerProps {
  id: string
  /** Where it is not the patient's own page. */
  linksPatient: boolean
  onClose: () => void
  onEdit: (kind: 'edit' | 'move') => void
}

/** All that is known of an appointment, and what can be done with it. */
export default function AppointmentDrawer({ id, linksPatient, onClose, onEdit }: AppointmentDrawerProps) {
  const found = useQuery(orpc.appointments.get.queryOptions({ input: { id } }))
  const names = useNames()
  const mayChange = useMay()('appointments.change')
  const { data } = found
  return (
    <SideDrawer
      title={data ? patientName(data) : 'Appointment'}
      aside={data && <StatusBadge status={data.status} />}
      onClose={onClose}
      footer={
        data && (
          <>
            {mayChange && <AppointmentActions appointment={data} names={names} onEdit={onEdit} />}
            {linksPatient && (
              <Button asChild variant="quiet" icon={<UserRound />} className="ml-auto">
                <Link to="/contacts/$id" params={{ id: data.contact.id }}>
                  Open patient
                </Link>
              </Button>
            )}
          </>
        )
      }
    >
      {data ? (
        <div className="flex flex-col gap-5">
          <AppointmentFacts appointment={data} names={names} />
          <AppointmentMails appointment={data} />
        </div>
      ) : found.error ? (
        statusOf(found.error) === 404 ? (
          <ErrorState title="This appointment is not there">Its patient was deleted, and it with them.</ErrorState>
        ) : (
          <ErrorState title="Couldn’t load the appointment" onRetry={() => void found.refetch()} retrying={found.isFetching}>
            {messageOf(found.error)}
          </ErrorState>
        )
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4">
          {['w-1/2', 'w-2/3', 'w-1/3', 'w-2/5'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      )}
    </SideDrawer>
  )
}

function AppointmentFacts({ appointment, names }: { appointment: AppointmentData; names: Names }) {
  const clock = useClock()
  const { type, providerId, roomId, cancelReason, notes } = appointment
  const room = names.rooms.find(({ id }) => id === roomId)
  return (
    <div className="flex flex-col gap-5">
      <Facts>
        <Fact label="When">
          <span className="font-medium tabular-nums">{formatWhen(appointment, clock)}</span>
          <span className="block text-xs text-fg-3">{formatDuration(lengthOf(appointment))}</span>
        </Fact>
        <Fact label="Type">{typeLabels[type]}</Fact>
        <Fact label="Provider">{providerName(providerId, names) ?? <None />}</Fact>
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
