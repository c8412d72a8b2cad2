import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { PanelSection } from '../../../../ui/display/Facts.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { type Clock, formatDateTime } from '../../../../ui/format.ts'

interface NextVisitProps {
  contactId: string
  people: readonly { id: string; fullName: string }[]
  clock: Clock
}

const upcoming = ['booked', 'confirmed', 'arrived']
/** 'consult' as 'Consult', 'pre_op' as 'Pre-op'. */
const nameOf = (type: string): string => type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', '-')

/** The patient's next appointment, with its provider. */
export function NextVisit({ contactId, people, clock }: NextVisitProps) {
  const cache = useQueryClient()
  const isAllowed = usePermission()('appointments.ofContact')
  const input = { contactId }
  const { data, error } = useQuery(orpc.appointments.ofContact.queryOptions({ input, enabled: isAllowed }))
  useLive(['appointment'], () => void cache.invalidateQueries({ queryKey: orpc.appointments.ofContact.key({ input }) }), {
    debounceMs: 300,
  })
  if (!isAllowed) return null
  // The latest first.
  const next = data?.findLast(({ status, endsAt }) => upcoming.includes(status) && Date.parse(endsAt) > new Date(clock.now).getTime())
  const provider = next && people.find(({ id }) => id === next.providerId)?.fullName
  return (
    <PanelSection title="Next">
      {next ? (
        <>
          <p className="text-sm text-fg">
            {nameOf(next.type)}, {formatDateTime(next.startsAt, clock)}
          </p>
          {provider && <p className="text-xs text-fg-3">{provider}</p>}
        </>
      ) : error ? (
        <p className="text-sm text-danger-fg">Couldn’t load appointments</p>
      ) : data ? (
        <p className="text-sm text-fg-3">No upcoming appointments</p>
      ) : (
        <Skeleton className="w-2/3" />
      )}
    </PanelSection>
  )
}
