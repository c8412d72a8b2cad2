import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'

/** Spec 9: the badge asks every 30 s; live events make it ask at once. */
const pollEvery = 30_000

/** The number of unread messages; 0 until known, or without inbox access. A failure is ignored until the next request (spec 8). */
export function useUnreadMail(): number {
  const cache = useQueryClient()
  const isAllowed = usePermission()('inbox.unreadCount')
  const { data } = useQuery(orpc.inbox.unreadCount.queryOptions({ enabled: isAllowed, refetchInterval: pollEvery, staleTime: 0 }))
  useLive(['inbox'], () => isAllowed && void cache.invalidateQueries({ queryKey: orpc.inbox.unreadCount.key() }), { debounceMs: 100 })
  return isAllowed ? (data?.count ?? 0) : 0
}
