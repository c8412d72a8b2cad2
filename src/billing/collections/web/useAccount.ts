import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import type { OutstandingSearch } from './embed/outstanding-search.ts'

/** A patient's ledger, refreshed when the patient changes or any receipt does (it may be theirs). */
export function useAccount(contactId: string) {
  const cache = useQueryClient()
  const account = orpc.collections.account
  const refresh = () => void cache.invalidateQueries({ queryKey: account.key({ input: { contactId } }) })
  useLive(['contact'], (ids) => (ids === null || ids.has(contactId)) && refresh(), { debounceMs: 300 })
  useLive(['receipt'], refresh, { debounceMs: 300 })
  return useQuery(account.queryOptions({ input: { contactId } }))
}

export const outstandingPageSize = 50

/** A page of outstanding balances. */
export function useOutstanding({ show, age, owner, page = 1 }: OutstandingSearch) {
  const cache = useQueryClient()
  useLive(['contact'], () => void cache.invalidateQueries({ queryKey: orpc.collections.outstanding.key() }), { debounceMs: 1000 })
  return useQuery(
    orpc.collections.outstanding.queryOptions({
      input: { page, limit: outstandingPageSize, show, age, ownerId: owner },
      placeholderData: keepPreviousData,
    }),
  )
}

/** Staff members, for the IDs in the ledger. */
export const usePeople = () => useQuery(orpc.people.list.queryOptions({ staleTime: 10 * 60_000 })).data ?? []
