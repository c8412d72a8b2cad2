import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Client, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'

/** The dashboard as it arrives in the browser: instants are ISO strings. */
export type DashboardData = Awaited<ReturnType<Client['dashboard']['get']>>

/** While an import runs, changes come without end. */
const liveDebounce = 2000
/** Tasks become late and days begin without anyone changing anything. */
const atLeastEvery = 60_000

export function useDashboard() {
  const cache = useQueryClient()
  const query = useQuery(orpc.dashboard.get.queryOptions({ refetchInterval: atLeastEvery }))
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.dashboard.key() })
  useLive(['contact', 'task', 'import', 'bulk-change', 'vocabulary'], () => void refresh(), { debounceMs: liveDebounce })
  return { query, refresh }
}
