import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePages } from '../../../../ui/client/usePages.ts'
import type { ReceiptFilters } from './receipts-search.ts'

/** Receipts, newest first, a page at a time. */
export const useReceiptList = (filters: ReceiptFilters) => usePages(orpc.pos.receipts, filters, { keepsPrevious: true })

export const useReceiptTotals = (filters: ReceiptFilters) =>
  useQuery(orpc.pos.receiptTotals.queryOptions({ input: filters, placeholderData: keepPreviousData }))

export const useReceiptChoices = () => useQuery(orpc.pos.receiptChoices.queryOptions())

export const usePending = (enabled: boolean) => useQuery(orpc.pos.pending.queryOptions({ input: {}, enabled }))

/** Refreshes all displayed receipts on server events. */
export function useLiveReceipts(): void {
  const cache = useQueryClient()
  const { receipts, receiptTotals, receiptChoices, receipt, pending } = orpc.pos
  useLive(
    ['receipt'],
    () => {
      for (const call of [receipts, receiptTotals, receiptChoices, receipt, pending]) {
        void cache.invalidateQueries({ queryKey: call.key() })
      }
    },
    { debounceMs: 300 },
  )
}
