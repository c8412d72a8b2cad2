import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { useMay } from '../../../ui/client/useMay.ts'

/** The documents of a patient, newest first, kept true by the events of the server. Not asked for by a role that may not see them. */
export function useDocuments(contactId: string) {
  const cache = useQueryClient()
  const isAllowed = useMay()('documents.list')
  const documents = useQuery(orpc.documents.list.queryOptions({ input: { contactId }, enabled: isAllowed }))
  useLive(['document'], () => void cache.invalidateQueries({ queryKey: orpc.documents.list.key() }), { debounceMs: 200 })
  return { documents, isAllowed }
}

/** What patients have sent and no one has looked at, oldest first. */
export function useWaiting() {
  const isAllowed = useMay()('documents.waiting')
  const waiting = useQuery(orpc.documents.waiting.queryOptions({ input: {}, enabled: isAllowed }))
  useLiveWaiting()
  return { waiting, isAllowed }
}

/** How much that is; 0 until it is known, and for a role that may not see it. */
export function useWaitingCount(): number {
  const isAllowed = useMay()('documents.waitingCount')
  const { data } = useQuery(orpc.documents.waitingCount.queryOptions({ enabled: isAllowed }))
  useLiveWaiting()
  return isAllowed ? (data?.count ?? 0) : 0
}

function useLiveWaiting() {
  const cache = useQueryClient()
  const refresh = () => {
    void cache.invalidateQueries({ queryKey: orpc.documents.waiting.key() })
    void cache.invalidateQueries({ queryKey: orpc.documents.waitingCount.key() })
  }
  useLive(['document'], refresh, { debounceMs: 200 })
}
