import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'

/** The documents of a patient, newest first, kept up to date by server events. Not requested for roles that may not see them. */
export function useDocuments(contactId: string) {
  const cache = useQueryClient()
  const isAllowed = usePermission()('documents.list')
  const documents = useQuery(orpc.documents.list.queryOptions({ input: { contactId }, enabled: isAllowed }))
  useLive(['document'], () => void cache.invalidateQueries({ queryKey: orpc.documents.list.key() }), { debounceMs: 200 })
  return { documents, isAllowed }
}

/** Patient uploads waiting for review, oldest first. */
export function usePendingDocuments() {
  const isAllowed = usePermission()('documents.waiting')
  const pending = useQuery(orpc.documents.waiting.queryOptions({ input: {}, enabled: isAllowed }))
  useLivePending()
  return { pending, isAllowed }
}

/** The number of patient uploads waiting for review; 0 until loaded, and for roles that may not see it. */
export function usePendingCount(): number {
  const isAllowed = usePermission()('documents.waitingCount')
  const { data } = useQuery(orpc.documents.waitingCount.queryOptions({ enabled: isAllowed }))
  useLivePending()
  return isAllowed ? (data?.count ?? 0) : 0
}

function useLivePending() {
  const cache = useQueryClient()
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: orpc.documents.waiting.key() })
    void cache.invalidateQueries({ queryKey: orpc.documents.waitingCount.key() })
  }
  useLive(['document'], refresh, { debounceMs: 200 })
}
