import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useMay } from '../../../../ui/client/useMay.ts'

/** How often the counts are asked for while leads are being processed, in milliseconds. */
const pollInterval = 1000

/** How many leads wait to be completed, by source, kept up to date; undefined for those who may not see leads, and until it is known. */
export function useQueueCounts() {
  const cache = useQueryClient()
  const isAllowed = useMay()('leads.queueCounts')
  const counts = useQuery(
    orpc.leads.queueCounts.queryOptions({
      enabled: isAllowed,
      refetchInterval: ({ state }) => (state.data?.sources.some(({ processing }) => processing > 0) ? pollInterval : false),
    }),
  )
  useLive(
    ['lead', 'contact'],
    () => {
      if (isAllowed) void cache.invalidateQueries({ queryKey: orpc.leads.queueCounts.key() })
    },
    { debounceMs: 1000 },
  )
  return counts.data
}
