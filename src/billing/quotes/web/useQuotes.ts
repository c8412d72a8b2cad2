import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import type { QuoteData } from './quote-data.ts'

/** A patient's quotes in all versions, newest first, refreshed on server events. */
export function useQuotes(contactId: string) {
  const cache = useQueryClient()
  useLive(['quote'], () => void cache.invalidateQueries({ queryKey: orpc.quotes.key() }), { debounceMs: 300 })
  return useQuery(orpc.quotes.ofContact.queryOptions({ input: { contactId } }))
}

/** Puts a returned quote into the cached list immediately, and refetches the rest. */
export function useQuoteCache() {
  const cache = useQueryClient()
  return (after: QuoteData) => {
    cache.setQueryData(orpc.quotes.ofContact.queryKey({ input: { contactId: after.contactId } }), (before) =>
      before?.some(({ id }) => id === after.id) ? before.map((one) => (one.id === after.id ? after : one)) : [after, ...(before ?? [])],
    )
    void cache.invalidateQueries({ queryKey: orpc.quotes.key() })
  }
}
