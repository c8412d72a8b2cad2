import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { newMail, newMailEvery } from '../../rules.ts'
import { useConcernsMail, useConnection } from '../connection.ts'

/** The number of new emails in the current user's mailbox (spec 7: 25 at most). A failure is ignored until the next request (spec 8). */
export function useNewMail(): number {
  const cache = useQueryClient()
  const isAllowed = usePermission()('mailbox.newMessages')
  const connection = useConnection().data
  const concernsMail = useConcernsMail()
  const grantId = connection?.connected ? connection.grantId : null
  const { data } = useQuery(
    orpc.mailbox.newMessages.queryOptions({
      input: { grantId: grantId ?? '', limit: newMail.limit, folder: newMail.folder, unread: 'true' },
      enabled: isAllowed && grantId !== null,
      refetchInterval: newMailEvery,
      retry: false,
    }),
  )
  async function refresh() {
    await cache.invalidateQueries({ queryKey: orpc.mailbox.connection.key() })
    // Another mailbox, or none, has its own request.
    const now = cache.getQueryData(orpc.mailbox.connection.queryKey())
    if (now?.connected && now.grantId === grantId) void cache.invalidateQueries({ queryKey: orpc.mailbox.newMessages.key() })
  }
  useLive(['mailbox'], (ids) => concernsMail(ids) && void refresh(), { debounceMs: 50 })
  return grantId === null ? 0 : (data?.data.length ?? 0)
}
