import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

/** The QuickBooks connection, refreshed on server events. */
export function useQuickBooks() {
  const cache = useQueryClient()
  useLive(['quickbooks'], () => void cache.invalidateQueries({ queryKey: orpc.quickbooks.key() }), { debounceMs: 200 })
  return useQuery(orpc.quickbooks.status.queryOptions())
}
