import { useQuery } from '@tanstack/react-query'
import { orpc, statusOf } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { today } from '../../../../ui/format.ts'
import { BookingPending } from '../../../calendar/web/embed/BookingPending.tsx'
import { useMissingStaff, useNames } from '../../../calendar/web/embed/names.ts'
import type { AppointmentData, AppointmentPatient } from '../appointment-data.ts'
import { AppointmentForm } from './AppointmentForm.tsx'
import { type AppointmentValues, blankAppointment, minutesOf, valuesOf } from './appointment-values.ts'

/** What the dialog is open for: a new appointment, with what is known of it already, or one that there is. */
export type AppointmentDialogState =
  | { kind: 'new'; patient: AppointmentPatient | null; given: Partial<AppointmentValues> }
  | { kind: 'edit' | 'move'; id: string }

interface AppointmentDialogProps {
  state: AppointmentDialogState
  onClose: () => void
  onSaved?: (after: AppointmentData) => void
}

export default function AppointmentDialog({ state, onClose, onSaved }: AppointmentDialogProps) {
  return state.kind === 'new' ? (
    <NewAppointment state={state} onClose={onClose} onSaved={onSaved} />
  ) : (
    <ChangeAppointment id={state.id} isMove={state.kind === 'move'} onClose={onClose} onSaved={onSaved} />
  )
}

interface NewAppointmentProps extends Omit<AppointmentDialogProps, 'state'> {
  state: Extract<AppointmentDialogState, { kind: 'new' }>
}

function NewAppointment({ state: { patient, given }, onClose, onSaved }: NewAppointmentProps) {
  const names = useNames()
  const missing = useMissingStaff()
  // Whose patient they are is known once their record is.
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: patient?.id ?? '' }, enabled: patient !== null }))
  const usual = names.providers.find(({ id }) => id === contact.data?.assignedProviderId)
  const only = names.providers.filter(({ role }) => role === 'provider')
  const providerId = given.providerId ?? usual?.id ?? (only.length === 1 ? only[0]!.id : null)
  const blank = blankAppointment({ ...given, contactId: patient?.id ?? null, providerId })
  const isReady = names.people.length > 0 && !(patient && contact.isPending)
  // It opens on the next day with room, unless a day was marked.
  const openings = useQuery(
    orpc.appointments.openings.queryOptions({
      input: {
        from: today(useClock()),
        days: 1,
        minutes: minutesOf(blank) ?? 0,
        ...(providerId && { providerId }),
        ...(blank.roomId && { roomId: blank.roomId }),
      },
      enabled: isReady && blank.day === '' && (providerId ?? blank.roomId) !== null,
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
      isMove={false}
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}

interface ChangeAppointmentProps extends Omit<AppointmentDialogProps, 'state'> {
  id: string
  isMove: boolean
}

function ChangeAppointment({ id, isMove, onClose, onSaved }: ChangeAppointmentProps) {
  const clock = useClock()
  const names = useNames()
  const found = useQuery(orpc.appointments.get.queryOptions({ input: { id }, staleTime: 0, refetchOnWindowFocus: false }))
  const title = isMove ? 'Move appointment' : 'Edit appointment'
  // What was there when the dialog was opened may have been changed since.
  if (found.isPending || (found.isFetching && !found.isFetchedAfterMount))
    return <BookingPending noun="appointment" title={title} onClose={onClose} />
  if (!found.data) {
    const failed = { isGone: statusOf(found.error) === 404, retry: () => void found.refetch(), isRetrying: found.isFetching }
    return <BookingPending noun="appointment" title={title} failed={failed} onClose={onClose} />
  }
  return (
    <AppointmentForm
      appointment={found.data}
      patient={found.data.contact}
      initial={valuesOf(found.data, clock.timeZone)}
      names={names}
      isMove={isMove}
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}
