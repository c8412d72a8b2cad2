import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Client, client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { formatAgo, formatDateTime } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { LeadsToCompleteNotice } from './LeadsToComplete.tsx'

type Entry = Awaited<ReturnType<Client['leads']['entries']>>['data'][number]

/** How many leads are shown at first. */
const previewSize = 10

/** The latest leads of a source with their status. */
export function LatestLeads({ sourceId }: { sourceId: string }) {
  const cache = useQueryClient()
  const options = orpc.leads.entries.queryOptions({ input: { sourceId } })
  const entries = useQuery(options)
  const [isAll, setAll] = useState(false)
  useLive(['lead', 'contact'], () => void cache.invalidateQueries({ queryKey: options.queryKey }), { debounceMs: 1000 })
  const all = entries.data?.data
  const shown = isAll ? all : all?.slice(0, previewSize)
  return (
    <section aria-labelledby="latest-leads">
      <h3 id="latest-leads" className="border-b border-line pb-3 text-title font-semibold text-fg">
        Latest leads
      </h3>
      <div className="pt-3 empty:hidden">
        <LeadsToCompleteNotice sourceId={sourceId} />
      </div>
      {shown && all ? (
        shown.length > 0 ? (
          <>
            {shown.some(({ status, dismissedAt }) => status === 'error' && dismissedAt === null) && (
              <HelpLink to="administrator#leads-with-errors">What to do about leads with errors</HelpLink>
            )}
            <ul aria-label="Latest leads">
              {shown.map((entry) => (
                <EntryLine key={entry.id} entry={entry} />
              ))}
            </ul>
            {all.length > shown.length && (
              <Button className="mt-3" onClick={() => setAll(true)}>
                Show {all.length - shown.length} more
              </Button>
            )}
          </>
        ) : (
          <EmptyState title="No leads yet" actions={<HelpLink to="administrator#connect-a-web-form">How to connect a web form</HelpLink>}>
            Leads sent to the address above appear here with their status.
          </EmptyState>
        )
      ) : entries.error ? (
        <ErrorState title="Couldn’t load the leads" onRetry={() => void entries.refetch()} retrying={entries.isFetching}>
          {messageOf(entries.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex min-h-32 flex-col gap-4 py-5">
          <Skeleton className="w-56" />
          <Skeleton className="w-48" />
        </div>
      )}
    </section>
  )
}

function EntryLine({ entry: { id, name, email, contactId, status, errorMessage, receivedAt, dismissedAt } }: { entry: Entry }) {
  const clock = useClock()
  const cache = useQueryClient()
  const mayRetry = usePermission()('leads.retry')
  const [isBusy, setBusy] = useState(false)
  const who = name ?? email ?? 'No name'

  async function retry() {
    setBusy(true)
    try {
      await client.leads.retry({ id })
    } catch (error) {
      toast.error('Couldn’t retry the lead', messageOf(error))
    }
    setBusy(false)
    void cache.invalidateQueries({ queryKey: orpc.leads.entries.key() })
  }

  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0">
      <span className="min-w-40 flex-1">
        {contactId ? (
          <Link to="/contacts/$id" params={{ id: contactId }} className="text-md font-medium wrap-anywhere text-fg hover:underline">
            {who}
          </Link>
        ) : (
          <span className="text-md font-medium wrap-anywhere text-fg">{who}</span>
        )}
        {name !== null && email !== null && <span className="block truncate text-sm text-fg-3">{email}</span>}
        {status === 'error' && dismissedAt === null && <span className="block text-sm text-danger-fg">{errorMessage}</span>}
      </span>
      {dismissedAt !== null && <Badge>Discarded</Badge>}
      {status === 'processing' && <Badge>Processing</Badge>}
      {status === 'error' && dismissedAt === null && mayRetry && (
        <Button size="sm" busy={isBusy} busyLabel="Trying…" onClick={() => void retry()} aria-label={`Try again: ${who}`}>
          Try again
        </Button>
      )}
      <time dateTime={receivedAt} title={formatDateTime(receivedAt, clock)} className="flex-none text-sm text-fg-3 tabular-nums">
        {formatAgo(receivedAt, clock)}
      </time>
    </li>
  )
}
