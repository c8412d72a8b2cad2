import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatAgo, formatDateTime } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { reasonOf } from '../../../../ui/client/refusal.ts'

/** Warns that lists may be stale because QuickBooks is down, shows their age, and offers a refresh. */
export function QuickBooksNotice({ readAt }: { readAt: string | null }) {
  const clock = useClock()
  const cache = useQueryClient()
  const status = useQuery(orpc.quickbooks.status.queryOptions())
  const refresh = useMutation({
    mutationFn: () => client.quickbooks.refresh(),
    onSuccess: () => void cache.invalidateQueries({ queryKey: orpc.pos.key() }),
    onError: (error) => toast.error('QuickBooks was not read', reasonOf(error)),
  })
  const isConnected = status.data?.state === 'connected'
  return (
    <Alert
      tone="warning"
      className="mb-5"
      action={
        <>
          <HelpLink to="payments#if-something-is-missing-in-the-list">What you can still do</HelpLink>
          <Button size="sm" icon={<RefreshCw />} busy={refresh.isPending} busyLabel="Refreshing…" onClick={() => refresh.mutate()}>
            Refresh
          </Button>
        </>
      }
    >
      {status.data && !isConnected
        ? 'QuickBooks is not connected. An administrator can connect it in Settings.'
        : 'QuickBooks does not answer.'}{' '}
      {readAt ? (
        <span title={formatDateTime(readAt, clock)}>
          Customers, items and accounts are shown as read {agoOf(formatAgo(readAt, clock))}.
        </span>
      ) : (
        'Its customers, items and accounts were not read yet.'
      )}
    </Alert>
  )
}

const agoOf = (ago: string): string =>
  ago === 'Just now' || ago === 'Yesterday' ? ago.toLowerCase() : ago.endsWith('ago') ? ago : `on ${ago}`
