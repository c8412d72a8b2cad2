import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

/** How many payouts have differences that no one has accepted. Also keeps what is shown of payouts up to date. */
export function useDifferingPayouts(): number {
  const cache = useQueryClient()
  useLive(['payout'], () => void cache.invalidateQueries({ queryKey: orpc.payouts.key() }), { debounceMs: 300 })
  return useQuery(orpc.payouts.list.queryOptions({ input: { limit: 1 } })).data?.differing ?? 0
}
