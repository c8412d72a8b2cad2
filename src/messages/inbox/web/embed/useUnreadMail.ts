import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useMay } from '../../../../ui/client/useMay.ts'

/** Spec 9: the badge asks every 30 s; live events make it ask at once. */
const pollEvery = 30_000

/** How many messages no one has read; 0 until it is known, and for a role that sees none. A failure is no more than a later look (spec 8). */
export function useUnreadMail(): number {
  const cache = useQueryClient()
  const isAllowed = useMay()('inbox.unreadCount')
  const { data } = useQuery(orpc.inbox.unreadCount.queryOptions({ enabled: isAllowed, refetchInterval: pollEvery, staleTime: 0 }))
  useLive(['inbox'], () => isAllowed && void cache.invalidateQueries({ queryKey: orpc.inbox.unreadCount.key() }), { debounceMs: 100 })
  return isAllowed ? (data?.count ?? 0) : 0
}
