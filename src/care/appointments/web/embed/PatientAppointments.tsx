import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import type { Clock } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { PatientEntries } from '../../../waiting-list/web/embed/PatientEntries.tsx'
import { upcomingStatuses } from '../../rules.ts'
import { AppointmentActions } from '../detail/AppointmentActions.tsx'
import type { AppointmentData, AppointmentPatient } from '../appointment-data.ts'
import { StatusIcon } from '../StatusMark.tsx'
import { useAppointmentDialogs } from '../useAppointmentDialogs.tsx'
import { type Names, providerName, roomName, useNames } from '../../../calendar/web/embed/names.ts'
import { formatWhen } from '../../../calendar/web/embed/times.ts'
import { statusLabels, typeLabels } from './labels.ts'

/** A patient's appointments: upcoming ones, soonest first, and past ones on demand. For users who may see appointments. */
export function PatientAppointments({ patient, clock }: { patient: AppointmentPatient; clock: Clock }) {
  const cache = useQueryClient()
  const names = useNames()
  const [showsPast, setShowsPast] = useState(false)
  const [viewedId, setViewedId] = useState<string | null>(null)
  const { dialogs, book, edit, prepare } = useAppointmentDialogs({ viewedId, onView: setViewedId, isPatientPage: true })
  const list = useQuery(orpc.appointments.ofContact.queryOptions({ input: { contactId: patient.id } }))
  useLive(['appointment'], () => void cache.invalidateQueries({ queryKey: orpc.appointments.key() }), { debounceMs: 300 })
  const begin = () => book(patient)
  const all = list.data ?? []
  const isUpcoming = ({ status, endsAt }: AppointmentData) =>
    upcomingStatuses.includes(status) && Date.parse(endsAt) > new Date(clock.now).getTime()
  const [upcoming, past] = [all.filter(isUpcoming).toReversed(), all.filter((one) => !isUpcoming(one))]
  const lines = (appointments: readonly AppointmentData[]) =>
    appointments.map((appointment) => (
      <AppointmentLine
        key={appointment.id}
        appointment={appointment}
        names={names}
        clock={clock}
        onOpen={() => setViewedId(appointment.id)}
        onEdit={(kind) => edit(kind, appointment.id)}
      />
    ))

  return (
    <PanelSection
      title="Appointments"
      action={<IconButton label="Book appointment" keys="b" icon={<CalendarPlus />} size="sm" onPointerEnter={prepare} onClick={begin} />}
    >
      {list.error && !list.data ? (
        <p role="alert" className="text-sm text-danger-fg">
          Couldn’t load appointments.{' '}
          <Button size="sm" variant="quiet" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </p>
      ) : list.isPending ? (
        <Skeleton className="w-2/3" />
      ) : upcoming.length === 0 ? (
        <p className="text-sm">
          <None>No upcoming appointments</None>
        </p>
      ) : (
        <ul aria-label="Upcoming appointments" className="-mx-2">
          {lines(upcoming)}
        </ul>
      )}
      <PatientEntries contactId={patient.id} />
      {past.length > 0 && (
        <Button size="sm" variant="quiet" className="mt-1 -ml-2" aria-expanded={showsPast} onClick={() => setShowsPast(!showsPast)}>
          {showsPast ? 'Hide' : 'Show'} past ({past.length})
        </Button>
      )}
      {showsPast && (
        <ul aria-label="Past appointments" className="-mx-2">
          {lines(past)}
        </ul>
      )}
      {dialogs}
    </PanelSection>
  )
}

interface AppointmentLineProps {
  appointment: AppointmentData
  names: Names
  clock: Clock
  onOpen: () => void
  onEdit: (kind: 'edit' | 'move') => void
}

function AppointmentLine({ appointment, names, clock, onOpen, onEdit }: AppointmentLineProps) {
  const { type, status, providerId, roomId } = appointment
  const isOff = status === 'no_show' || status === 'cancelled'
  const facts = [typeLabels[type], providerName(providerId, names), roomName(roomId, names)].filter(Boolean)
  return (
    <li className="flex items-center gap-1 rounded-sm hover:bg-hover">
      <button type="button" onClick={onOpen} className="min-h-11 min-w-0 flex-1 rounded-sm py-1 pl-2 text-left outline-offset-[-2px]">
        <span className="flex items-center gap-1.5 text-sm text-fg-2" title={statusLabels[status]}>
          <StatusIcon status={status} className="size-3.5! flex-none" />
          <span className={`truncate tabular-nums ${isOff ? 'text-fg-3 line-through' : 'text-fg'}`}>{formatWhen(appointment, clock)}</span>
        </span>
        <span className="block truncate text-xs text-fg-3">{facts.join(' · ')}</span>
      </button>
      <AppointmentActions
        appointment={appointment}
        names={names}
        onEdit={onEdit}
        menuLabel={`Actions: ${formatWhen(appointment, clock)}`}
      />
    </li>
  )
}
