import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import type { ViewedList } from '../../contract.ts'
import { builtInViews } from '../../rules.ts'

export interface View {
  id: string
  name: string
  list: ViewedList
  /** Null for a built-in view. */
  saved: { isShared: boolean; ownerId: string } | null
}

const none: readonly never[] = []

/** All views that the user may open: built-in ones, then own and shared ones by name. */
export function useViews(): readonly View[] {
  const cache = useQueryClient()
  const saved = useQuery(orpc.savedViews.list.queryOptions({ staleTime: 10 * 60_000 })).data ?? none
  useLive(['saved-view'], () => void cache.invalidateQueries({ queryKey: orpc.savedViews.key() }))
  return [
    ...builtInViews.map((view) => ({ ...view, saved: null })),
    ...saved.map(({ isShared, ownerId, ...view }) => ({ ...view, saved: { isShared, ownerId } })),
  ]
}
