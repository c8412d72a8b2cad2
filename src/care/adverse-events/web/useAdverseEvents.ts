import { useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'

/** Refreshes adverse events on server events: of the register, and of narratives, which are clinical notes. Returns how to refresh them. */
export function useLiveEvents(): () => void {
  const cache = useQueryClient()
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.adverseEvents.key() })
  useLive(['adverse-event', 'note'], refresh, { debounceMs: 300 })
  return refresh
}
