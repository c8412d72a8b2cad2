import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

/** How many patients have a balance, kept up to date. */
export function useOutstandingCount(): number | undefined {
  const cache = useQueryClient()
  const { outstandingCount } = orpc.collections
  useLive(['contact'], () => void cache.invalidateQueries({ queryKey: outstandingCount.key() }), { debounceMs: 1000 })
  return useQuery(outstandingCount.queryOptions()).data?.count
}
