import { useQuery } from '@tanstack/react-query'
import { BookingLoader, BookingPending } from '../../../calendar/web/embed/booking/BookingPending.tsx'
import { useMissingStaff, useNames } from '../../../calendar/web/embed/names.ts'
import type { DialogState } from '../../../calendar/web/embed/booking/useBookingDialogs.tsx'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { useRooms } from '../../../../platform/practice/web/embed/usePractice.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import type { SurgeryData } from '../surgery-data.ts'
import { SurgeryForm } from './SurgeryForm.tsx'
import { blankSurgery, isOffered, type SurgeryValues, defaultMinutes, valuesOf } from './surgery-values.ts'

interface SurgeryDialogProps {
  state: DialogState<SurgeryValues>
  onClose: () => void
  onSaved?: (after: SurgeryData) => void
}

export default function SurgeryDialog({ state, ...rest }: SurgeryDialogProps) {
  return state.kind === 'new' ? <NewSurgery state={state} {...rest} /> : <ChangeSurgery {...state} {...rest} />
}

interface NewSurgeryProps extends Omit<SurgeryDialogProps, 'state'> {
  state: Extract<DialogState<SurgeryValues>, { kind: 'new' }>
}

function NewSurgery({ state: { patient, given }, onClose, onSaved }: NewSurgeryProps) {
  const names = useNames()
  const missing = useMissingStaff()
  const { procedures } = useDirectory()
  const rooms = useRooms()
  // The patient's record has the assigned provider and the procedure.
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: patient?.id ?? '' }, enabled: patient !== null }))
  if (missing) return <BookingPending noun="staff list" title="Book surgery" failed={missing} onClose={onClose} />
  if (names.people.length === 0 || rooms.isPending || (patient && contact.isPending))
    return <BookingPending noun="surgery" title="Book surgery" onClose={onClose} />
  const assigned = names.providers.find(({ id }) => id === contact.data?.assignedProviderId)
  const onlyProviders = names.providers.filter(({ role }) => role === 'provider')
  const operatingRooms = names.rooms.filter(({ kind, isActive }) => kind === 'operating' && isActive)
  const procedureOfInterest = procedures.find((one) => one.id === contact.data?.procedureId && isOffered(one))
  const procedureIds = procedureOfInterest ? [procedureOfInterest.id] : []
  const initial = blankSurgery({
    ...given,
    contactId: patient?.id ?? null,
    procedureIds,
    minutes: given.minutes ?? defaultMinutes(procedures, procedureIds),
    surgeonId: given.surgeonId ?? assigned?.id ?? (onlyProviders.length === 1 ? onlyProviders[0]!.id : null),
    roomId: given.roomId ?? (operatingRooms.length === 1 ? operatingRooms[0]!.id : null),
  })
  return (
    <SurgeryForm
      surgery={null}
      patient={patient}
      initial={initial}
      names={names}
      procedures={procedures}
      kind="new"
      onClose={onClose}
      onSaved={onSaved}
    />
  )
}

interface ChangeSurgeryProps extends Omit<SurgeryDialogProps, 'state'> {
  id: string
  kind: 'edit' | 'move'
}

function ChangeSurgery({ id, kind, onClose, onSaved }: ChangeSurgeryProps) {
  const clock = useClock()
  const names = useNames()
  const { procedures } = useDirectory()
  const found = useQuery(orpc.surgeries.get.queryOptions({ input: { id }, staleTime: 0, refetchOnWindowFocus: false }))
  return (
    <BookingLoader noun="surgery" kind={kind} found={found} onClose={onClose}>
      {(surgery) => (
        <SurgeryForm
          surgery={surgery}
          patient={surgery.contact}
          initial={valuesOf(surgery, clock.timeZone)}
          names={names}
          procedures={procedures}
          kind={kind}
          onClose={onClose}
          onSaved={onSaved}
        />
      )}
    </BookingLoader>
  )
}
