import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../ui/client/api.ts'
import { useLive } from '../ui/client/live.ts'
import { type Clock, formatDateTime } from '../ui/format.ts'
import { useMay } from '../ui/client/useMay.ts'
import { coming as comingAppointments } from '../care/appointments/rules.ts'
import { coming as comingSurgeries } from '../care/surgeries/rules.ts'
import type { AddressedTab } from './patient-search.ts'

/** A fact of the header; one with a tab links to it. */
export interface HeaderFact {
  text: string
  tab?: AddressedTab
}

/** The patient's next appointment and next surgery, as far as the role may see them and there are any. */
export function useNextVisits(contactId: string, clock: Clock): HeaderFact[] {
  const cache = useQueryClient()
  const may = useMay()
  const input = { contactId }
  const appointments = useQuery(orpc.appointments.ofContact.queryOptions({ input, enabled: may('appointments.ofContact') }))
  const surgeries = useQuery(orpc.surgeries.ofContact.queryOptions({ input, enabled: may('surgeries.ofContact') }))
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: orpc.appointments.ofContact.key({ input }) })
    void cache.invalidateQueries({ queryKey: orpc.surgeries.ofContact.key({ input }) })
  }
  useLive(['appointment', 'surgery'], refresh, { debounceMs: 300 })
  const isAhead = ({ endsAt }: { endsAt: string }) => Date.parse(endsAt) > new Date(clock.now).getTime()
  // Both lists start with the latest.
  const appointment = appointments.data?.findLast((one) => comingAppointments.includes(one.status) && isAhead(one))
  const surgery = surgeries.data?.findLast((one) => comingSurgeries.includes(one.status) && isAhead(one))
  return [
    ...(appointment ? [{ text: `Next appointment ${formatDateTime(appointment.startsAt, clock)}`, tab: 'appointments' as const }] : []),
    ...(surgery ? [{ text: `Surgery ${formatDateTime(surgery.startsAt, clock)}`, tab: 'surgery' as const }] : []),
  ]
}
