import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

/** Milliseconds. The server caches the lists longer, and announces when they were refreshed. */
const staleTime = 60_000

/** Options of a sale: accounts, classes and tax codes, from the server's copy of QuickBooks. */
export function useQuickBooksLists() {
  const cache = useQueryClient()
  const accounts = useQuery(orpc.pos.accounts.queryOptions({ staleTime }))
  const classes = useQuery(orpc.pos.classes.queryOptions({ staleTime }))
  const taxCodes = useQuery(orpc.pos.taxCodes.queryOptions({ staleTime }))
  useLive(['quickbooks'], () => {
    void cache.invalidateQueries({ queryKey: orpc.pos.key() })
    void cache.invalidateQueries({ queryKey: orpc.quickbooks.key() })
  })
  return { accounts, classes, taxCodes }
}

export type QuickBooksLists = ReturnType<typeof useQuickBooksLists>

/** The deposit account to begin with: the only one, or the one of the caller's last payment. */
export function defaultAccount({ accounts: { data } }: QuickBooksLists): string | null {
  return data?.accounts.length === 1 ? data.accounts[0]!.Id : (data?.lastUsedAccount ?? null)
}
