import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../../ui/client/api.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'

/** Tries a pending receipt now, and says what became of it. */
export function useRetry() {
  const settle = useSettled()
  return useMutation(
    orpc.pos.retry.mutationOptions({
      onSuccess: ({ DocNumber, Id, differenceCents }) => {
        toast.success(`Receipt ${DocNumber ?? Id} is recorded in QuickBooks`)
        if (differenceCents !== null) toast.error(`QuickBooks’ total differs by ${formatMoney(Math.abs(differenceCents))}`)
      },
      onError: (error) => toast.error('The receipt is not recorded yet', messageOf(error)),
      onSettled: settle,
    }),
  )
}

export function useCancel() {
  const settle = useSettled()
  return useMutation(
    orpc.pos.cancel.mutationOptions({
      onSuccess: () => toast.success('The receipt is cancelled'),
      onError: (error) => toast.error('The receipt was not cancelled', messageOf(error)),
      onSettled: settle,
    }),
  )
}

/** The lists show it at once, should the events be late. */
function useSettled() {
  const cache = useQueryClient()
  return () =>
    Promise.all(
      [orpc.pos.pending, orpc.pos.receipts, orpc.pos.receiptTotals, orpc.pos.receipt].map((call) =>
        cache.invalidateQueries({ queryKey: call.key() }),
      ),
    )
}
