import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'

/** Milliseconds: the server keeps the lists for longer, and says when they were read again. */
const staleTime = 60_000

/** What a sale chooses from: accounts, classes and tax codes, as the server knows them from QuickBooks. */
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

export type Books = ReturnType<typeof useQuickBooksLists>
