import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import type { DraftKeeper, DraftView } from './draft-store.ts'
import { keeperFrom, keeperOf, leaveDraft } from './draft-stores.ts'

/** The open draft: from this tab, otherwise from the server. */
export function useKeeper(id: string): {
  keeper: DraftKeeper | null
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown }
} {
  const [known, setKnown] = useState(() => keeperOf(id))
  const query = useQuery(orpc.mailbox.draft.queryOptions({ input: { id }, enabled: known === null, staleTime: 0, gcTime: 0 }))
  if (!known && query.data) setKnown(keeperFrom(query.data))
  useEffect(() => () => void leaveDraft(id), [id])
  return { keeper: known, query }
}

export const useDraftView = (keeper: DraftKeeper): DraftView => useSyncExternalStore(keeper.subscribe, keeper.view)
