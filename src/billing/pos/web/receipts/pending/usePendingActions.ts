import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'

/** Retries a pending receipt now, and shows the result. */
export function useRetry() {
  const refetch = useRefetch()
  return useMutation(
    orpc.pos.retry.mutationOptions({
      onSuccess: ({ DocNumber, Id, differenceCents }) => {
        toast.success(`Receipt ${DocNumber ?? Id} recorded in QuickBooks`)
        if (differenceCents !== null) toast.error(`QuickBooks’ total differs by ${formatMoney(Math.abs(differenceCents))}`)
      },
      onError: (error) => toast.error('Receipt not recorded yet', messageOf(error)),
      onSettled: refetch,
    }),
  )
}

export function useCancel() {
  const refetch = useRefetch()
  return useMutation(
    orpc.pos.cancel.mutationOptions({
      onSuccess: () => toast.success('Receipt cancelled'),
      onError: (error) => toast.error('Receipt not cancelled', messageOf(error)),
      onSettled: refetch,
    }),
  )
}

/** Updates the lists immediately, in case the events are late. */
function useRefetch() {
  const cache = useQueryClient()
  return () =>
    Promise.all(
      [orpc.pos.pending, orpc.pos.receipts, orpc.pos.receiptTotals, orpc.pos.receipt].map((call) =>
        cache.invalidateQueries({ queryKey: call.key() }),
      ),
    )
}
