import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

/** How many disputes wait for evidence. Also keeps what is shown of disputes up to date. */
export function useOpenDisputes(): number {
  const cache = useQueryClient()
  useLive(['dispute'], () => void cache.invalidateQueries({ queryKey: orpc.disputes.key() }), { debounceMs: 300 })
  return useQuery(orpc.disputes.list.queryOptions({ input: { limit: 1 } })).data?.open ?? 0
}
