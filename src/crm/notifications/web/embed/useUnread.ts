import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

export type NotificationData = Awaited<ReturnType<Client['notifications']['unread']>>['data'][number]

/** Spec 9: the header looks every 90 s; live events make it look at once. */
const pollEvery = 90_000

/** One's own unread reminders, newest first. A failure is no more than a later look (spec 8). */
export function useUnread(): { unread: readonly NotificationData[]; total: number } {
  const cache = useQueryClient()
  const { data } = useQuery(orpc.notifications.unread.queryOptions({ input: {}, refetchInterval: pollEvery, staleTime: 0 }))
  useLive(['notification', 'task'], () => void cache.invalidateQueries({ queryKey: orpc.notifications.key() }), { debounceMs: 100 })
  return { unread: data?.data ?? [], total: data?.total ?? 0 }
}
