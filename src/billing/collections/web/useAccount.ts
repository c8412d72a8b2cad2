import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import type { OutstandingSearch } from './embed/outstanding-search.ts'

/** A patient's ledger, kept true: a change of theirs, and a receipt, which may be theirs. */
export function useAccount(contactId: string) {
  const cache = useQueryClient()
  const account = orpc.collections.account
  const refresh = () => void cache.invalidateQueries({ queryKey: account.key({ input: { contactId } }) })
  useLive(['contact'], (ids) => (ids === null || ids.has(contactId)) && refresh(), { debounceMs: 300 })
  useLive(['receipt'], refresh, { debounceMs: 300 })
  return useQuery(account.queryOptions({ input: { contactId } }))
}

export const outstandingPageSize = 50

/** A page of those who owe. */
export function useOutstanding({ show, age, owner, page = 1 }: OutstandingSearch) {
  const cache = useQueryClient()
  useLive(['contact'], () => void cache.invalidateQueries({ queryKey: orpc.collections.owing.key() }), { debounceMs: 1000 })
  return useQuery(
    orpc.collections.owing.queryOptions({
      input: { page, limit: outstandingPageSize, show, age, ownerId: owner },
      placeholderData: keepPreviousData,
    }),
  )
}

/** Staff by name, whose ids the ledger has. */
export const usePeople = () => useQuery(orpc.people.list.queryOptions({ staleTime: 10 * 60_000 })).data ?? []
