import { useQuery } from '@tanstack/react-query'
import { useVisitTypes } from '../../../availability/web/embed/useAvailability.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import { BookingLoader, BookingPending } from '../../../calendar/web/embed/booking/BookingPending.tsx'
import { useMissingStaff, useNames } from '../../../calendar/web/embed/names.ts'
import type { DialogState } from '../../../calendar/web/embed/booking/useBookingDialogs.tsx'
import type { AppointmentData } from '../appointment-data.ts'
import { AppointmentForm } from './AppointmentForm.tsx'
import { type AppointmentValues, blankAppointment, minutesOf, valuesOf, withVisitType } from './appointment-values.ts'

interface AppointmentDialogProps {
  state: DialogState<AppointmentValues>
  onClose: () => void
  onSaved?: (after: AppointmentData) => void
}

export default function AppointmentDialog({ state, ...rest }: AppointmentDialogProps) {
  return state.kind === 'new' ? <NewAppointment state={state} {...rest} /> : <ChangeAppointment {...state} {...rest} />
}

interface NewAppointmentProps extends Omit<AppointmentDialogProps, 'state'> {
  state: Extract<DialogState<AppointmentValues>, { kind: 'new' }>
}

function NewAppointment({ state: { patient, given }, onClose, onSaved }: NewAppointmentProps) {
  const names = useNames()
  const missing = useMissingStaff()
  const visitTypes = useVisitTypes()
  // The patient's record has the assigned provider.
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: patient?.id ?? '' }, enabled: patient !== null }))
  const assigned = names.providers.find(({ id }) => id === contact.data?.assignedProviderId)
  const only = names.providers.filter(({ role }) => role === 'provider')
  const providerId = given.providerId ?? assigned?.id ?? (only.length === 1 ? only[0]!.id : null)
  const known = visitTypes.data ?? []
  // Without visit types, or if they cannot be loaded, an appointment is booked by its type.
  const first = known.find(({ isActive, type }) => isActive && (given.type === undefined || type === given.type)) ?? null
  const blank = withVisitType(blankAppointment({ ...given, contactId: patient?.id ?? null, providerId }), first)
  const isReady = names.people.length > 0 && !visitTypes.isPending && !(patient && contact.isPending)
  // Opens on the next day with an opening, unless a day was selected.
  const openings = useQuery(
    orpc.appointments.openings.queryOptions({
      input: {
        from: today(useClock()),
        days: 1,
        minutes: minutesOf(blank) ?? 0,
        ...(blank.visitTypeId && { visitTypeId: blank.visitTypeId }),
        ...(blank.providerId && { providerId: blank.providerId }),
        ...(blank.roomId && { roomId: blank.roomId }),
      },
      enabled: isReady && blank.day === '' && (blank.visitTypeId ?? blank.providerId ?? blank.roomId) !== null,
      staleTime: 0,
    }),
  )
  if (missing) return <BookingPending noun="staff list" title="Book appointment" failed={missing} onClose={onClose} />
  if (!isReady || openings.isLoading) return <BookingPending noun="appointment" title="Book appointment" onClose={onClose} />
  const initial = blank.day === '' && openings.data?.next ? { ...blank, day: openings.data.next.day } : blank
  return (
    <AppointmentForm
      appointment={null}
      patient={patient}
      initial={initial}
      names={names}
      visitTypes={known}
      kind="new"
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}

interface ChangeAppointmentProps extends Omit<AppointmentDialogProps, 'state'> {
  id: string
  kind: 'edit' | 'move'
}

function ChangeAppointment({ id, kind, onClose, onSaved }: ChangeAppointmentProps) {
  const clock = useClock()
  const names = useNames()
  const visitTypes = useVisitTypes().data ?? []
  const found = useQuery(orpc.appointments.get.queryOptions({ input: { id }, staleTime: 0, refetchOnWindowFocus: false }))
  return (
    <BookingLoader noun="appointment" kind={kind} found={found} onClose={onClose}>
      {(appointment) => (
        <AppointmentForm
          appointment={appointment}
          patient={appointment.contact}
          initial={valuesOf(appointment, clock.timeZone)}
          names={names}
          visitTypes={visitTypes}
          kind={kind}
          onClose={onClose}
          onSaved={onSaved}
        />
      )}
    </BookingLoader>
  )
}
