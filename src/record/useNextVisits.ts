import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../ui/client/api.ts'
import { useLive } from '../ui/client/live.ts'
import { type Clock, formatDateTime } from '../ui/format.ts'
import { usePermission } from '../ui/client/usePermission.ts'
import { upcomingStatuses as comingAppointments } from '../care/appointments/rules.ts'
import { upcomingStatuses as comingSurgeries } from '../care/surgeries/rules.ts'
import type { UrlTab } from './patient-search.ts'

/** A fact in the header, with a link if it has a tab. */
export interface HeaderFact {
  text: string
  tab?: UrlTab
}

/** The patient's next appointment and next surgery, if any and if the role may see them. */
export function useNextVisits(contactId: string, clock: Clock): HeaderFact[] {
  const cache = useQueryClient()
  const may = usePermission()
  const input = { contactId }
  const appointments = useQuery(orpc.appointments.ofContact.queryOptions({ input, enabled: may('appointments.ofContact') }))
  const surgeries = useQuery(orpc.surgeries.ofContact.queryOptions({ input, enabled: may('surgeries.ofContact') }))
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: orpc.appointments.ofContact.key({ input }) })
    void cache.invalidateQueries({ queryKey: orpc.surgeries.ofContact.key({ input }) })
  }
  useLive(['appointment', 'surgery'], refresh, { debounceMs: 300 })
  const isUpcoming = ({ endsAt }: { endsAt: string }) => Date.parse(endsAt) > new Date(clock.now).getTime()
  // Both lists are sorted latest first.
  const appointment = appointments.data?.findLast((one) => comingAppointments.includes(one.status) && isUpcoming(one))
  const surgery = surgeries.data?.findLast((one) => comingSurgeries.includes(one.status) && isUpcoming(one))
  return [
    ...(appointment ? [{ text: `Next appointment ${formatDateTime(appointment.startsAt, clock)}`, tab: 'appointments' as const }] : []),
    ...(surgery ? [{ text: `Surgery ${formatDateTime(surgery.startsAt, clock)}`, tab: 'surgery' as const }] : []),
  ]
}
