import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { formatDateTime, today } from '../../../../ui/format.ts'
import { useVisitTypes } from '../../../availability/web/embed/useAvailability.ts'
import { formatEntry, openOffer, useLiveWaitingList } from '../entry-data.ts'

/** What a patient waits for, for those who see the waiting list; nothing if they do not wait. */
export function PatientEntries({ contactId }: { contactId: string }) {
  return usePermission()('waitingList.ofContact') ? <Entries contactId={contactId} /> : null
}

function Entries({ contactId }: { contactId: string }) {
  const clock = useClock()
  const visitTypes = useVisitTypes().data ?? []
  useLiveWaitingList()
  const { data } = useQuery(orpc.waitingList.ofContact.queryOptions({ input: { contactId } }))
  const waiting = (data ?? []).filter(({ status }) => status === 'waiting')
  if (waiting.length === 0) return null
  return (
    <ul aria-label="On the waiting list" className="-mx-2 pt-1">
      {waiting.map((entry) => {
        const offer = openOffer(entry)
        return (
          <li key={entry.id}>
            <Link
              to="/appointments/waiting-list"
              search={{ visit: entry.visitTypeId }}
              className="block rounded-sm px-2 py-1 hover:bg-hover"
            >
              <span className="flex items-center gap-1.5 text-sm text-fg">
                <Hourglass aria-hidden="true" className="size-3.5! flex-none text-fg-3" />
                <span className="truncate">On the waiting list: {visitTypes.find(({ id }) => id === entry.visitTypeId)?.name}</span>
              </span>
              <span className="block truncate text-xs text-fg-3">
                {offer ? `Offered ${formatDateTime(offer.startsAt, clock)}` : formatEntry(entry, today(clock))}
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
