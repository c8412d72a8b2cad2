import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'

/** The dashboard as JSON: instants are ISO strings. */
export type DashboardData = Awaited<ReturnType<Client['dashboard']['get']>>

/** During an import, changes arrive continuously. */
const liveDebounce = 2000
/** Tasks become overdue and days start without any change event. */
const atLeastEvery = 60_000

export function useDashboard() {
  const cache = useQueryClient()
  const query = useQuery(orpc.dashboard.get.queryOptions({ refetchInterval: atLeastEvery }))
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.dashboard.key() })
  useLive(['contact', 'task', 'import', 'bulk-change', 'vocabulary'], () => void refresh(), { debounceMs: liveDebounce })
  return { query, refresh }
}
