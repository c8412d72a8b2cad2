import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'

/** How often the counts are polled while leads are being processed. */
const pollIntervalMs = 1000

/** Live counts of waiting leads by source. Undefined while loading and for users who may not see leads. */
export function useQueueCounts() {
  const cache = useQueryClient()
  const isAllowed = usePermission()('leads.queueCounts')
  const counts = useQuery(
    orpc.leads.queueCounts.queryOptions({
      enabled: isAllowed,
      refetchInterval: ({ state }) => (state.data?.sources.some(({ processing }) => processing > 0) ? pollIntervalMs : false),
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
