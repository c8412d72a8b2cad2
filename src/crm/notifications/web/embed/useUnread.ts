import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

export type NotificationData = Awaited<ReturnType<Client['notifications']['unread']>>['data'][number]

/** The header polls every 90 s (spec 9); live events refresh it at once. */
const pollIntervalMs = 90_000

/** The user's unread reminders, newest first. After an error the next poll tries again (spec 8). */
export function useUnread(): { unread: readonly NotificationData[]; total: number } {
  const cache = useQueryClient()
  const { data } = useQuery(orpc.notifications.unread.queryOptions({ input: {}, refetchInterval: pollIntervalMs, staleTime: 0 }))
  useLive(['notification', 'task'], () => void cache.invalidateQueries({ queryKey: orpc.notifications.key() }), { debounceMs: 100 })
  return { unread: data?.data ?? [], total: data?.total ?? 0 }
}
