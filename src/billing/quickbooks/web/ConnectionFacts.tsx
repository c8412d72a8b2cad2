import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { formatAgo, formatDate, formatDateTime } from '../../../ui/format.ts'
import { None } from '../../../ui/display/Table.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import type { Connection } from './connection.ts'

/** The company, when it was connected, and when its lists were last read. */
export function ConnectionFacts({ status }: { status: Connection }) {
  const clock = useClock()
  const { timeZone } = clock
  const cache = useQueryClient()
  const mayRefresh = usePermission()('quickbooks.refresh')
  const refresh = useMutation(
    orpc.quickbooks.refresh.mutationOptions({
      onSuccess: () => toast.success('The lists of QuickBooks were read again'),
      onError: (error) => toast.error('The lists were not read', messageOf(error)),
      onSettled: () => cache.invalidateQueries({ queryKey: orpc.quickbooks.key() }),
    }),
  )
  const { companyName, connectedAt, listsReadAt, state } = status
  if (!companyName && !listsReadAt) return null
  return (
    <Facts className="pt-4">
      {companyName && <Fact label="Company">{companyName}</Fact>}
      {connectedAt && <Fact label="Connected since">{formatDate(connectedAt, timeZone)}</Fact>}
      <Fact label="Last synced">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {listsReadAt ? <span title={formatDateTime(listsReadAt, clock)}>{formatAgo(listsReadAt, clock)}</span> : <None>Not yet</None>}
          {state === 'connected' && mayRefresh && (
            <Button size="sm" busy={refresh.isPending} busyLabel="Refreshing…" onClick={() => refresh.mutate(undefined)}>
              Refresh
            </Button>
          )}
        </span>
        <span className="block pt-0.5 text-xs text-fg-3">Accounts, classes, tax codes, items and customers, each hour</span>
      </Fact>
    </Facts>
  )
}
