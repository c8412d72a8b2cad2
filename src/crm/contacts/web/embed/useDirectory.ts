import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import type { Directory } from './directory.ts'

const none: readonly never[] = []
/** These lists change rarely, and events announce it. */
const rarely = { staleTime: 10 * 60_000 }

/** The staff as a query, for components that handle loading errors. */
export const usePeople = () => useQuery(orpc.people.list.queryOptions(rarely))

export function useDirectory(): Directory {
  const stages = useQuery(orpc.pipeline.stages.queryOptions(rarely)).data ?? none
  const people = usePeople().data ?? none
  const procedures = useQuery(orpc.procedures.list.queryOptions(rarely)).data ?? none
  const sources = useQuery(orpc.leadSources.list.queryOptions(rarely)).data ?? none
  const tags = useQuery(orpc.tags.list.queryOptions(rarely)).data ?? none
  const cache = useQueryClient()

  useLive(
    ['vocabulary', 'people'],
    () => {
      for (const part of [orpc.pipeline, orpc.people, orpc.procedures, orpc.leadSources, orpc.tags]) {
        void cache.invalidateQueries({ queryKey: part.key() })
      }
    },
    { debounceMs: 1000 },
  )

  return useMemo(() => ({ stages, people, procedures, sources, tags }), [stages, people, procedures, sources, tags])
}
