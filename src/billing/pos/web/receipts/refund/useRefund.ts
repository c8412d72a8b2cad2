import { isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Client, orpc, statusOf } from '../../../../../ui/client/api.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import type { InferClientErrors } from '@orpc/client'
import type { ReceiptDetails } from '../receipt-data.ts'
import { contentOf, type RefundForm, wrongIn } from './refund.ts'

type Errors = InferClientErrors<Client>['pos']['refund']

/** The refund form. The same content always uses the same key, so that money is refunded once. */
export function useRefund(receipt: ReceiptDetails, onDone: () => void, initial: RefundForm) {
  const cache = useQueryClient()
  return useActionForm({
    initial,
    check: (values) => Object.fromEntries(wrongIn(values, receipt)),
    contentOf,
    async send(values, idempotencyKey) {
      try {
        const { DocNumber, Id, differenceCents } = await client.pos.refund({ id: receipt.id, ...contentOf(values), idempotencyKey })
        toast.success(`Refund ${DocNumber ?? Id} recorded in QuickBooks`)
        if (differenceCents !== null) toast.error(`QuickBooks’ total differs by ${formatMoney(Math.abs(differenceCents))}`)
      } catch (thrown) {
        const error = thrown as Errors
        const isKept = isDefinedError(error) && (error.code === 'PENDING' || error.code === 'RECONNECT')
        if (!isKept) throw thrown
        toast.info('Refund saved as pending', 'It will be recorded in QuickBooks automatically. Until then it is listed under Collections.')
      } finally {
        for (const call of [orpc.pos.receipt, orpc.pos.receipts, orpc.pos.receiptTotals, orpc.pos.pending])
          void cache.invalidateQueries({ queryKey: call.key() })
      }
    },
    onDone,
    onRefused: (error, problems) =>
      statusOf(error) === 0 ? { form: 'The connection was lost. It is safe to try again: there will be one refund, never two.' } : problems,
  })
}
