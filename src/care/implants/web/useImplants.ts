import { useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'

/** Loads again what depends on the devices of surgeries. */
export function useRefreshImplants(): () => void {
  const cache = useQueryClient()
  return () => {
    for (const part of [orpc.implants, orpc.devices, orpc.health, orpc.surgeries]) void cache.invalidateQueries({ queryKey: part.key() })
  }
}

/** Keeps what is shown of implants current. */
export function useLiveImplants(): void {
  const cache = useQueryClient()
  useLive(['surgery'], () => void cache.invalidateQueries({ queryKey: orpc.implants.key() }), { debounceMs: 300 })
}
