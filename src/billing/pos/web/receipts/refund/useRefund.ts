import { isDefinedError } from '@orpc/client'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { client, type Client, messageOf, orpc, statusOf } from '../../../../../ui/client/api.ts'
import { formatMoney } from '../../../../../ui/format.ts'
import { toast } from '../../../../../ui/toast.ts'
import type { RefundPayload } from '../../../receipt-contract.ts'
import type { InferClientErrors } from '@orpc/client'

type Errors = InferClientErrors<Client>['pos']['refund']

/** Sends a refund. The same content goes under the same key, however often it is sent, so that money is given back once. */
export function useRefund(id: string, onDone: () => void) {
  const cache = useQueryClient()
  const [problem, setProblem] = useState<string | null>(null)
  const sent = useRef<{ content: string; key: string } | null>(null)

  function keyOf(content: object): string {
    const text = JSON.stringify(content)
    if (sent.current?.content !== text) sent.current = { content: text, key: crypto.randomUUID() }
    return sent.current.key
  }

  /** A refusal that belongs to a field is answered, to be shown there. */
  async function send(content: Omit<RefundPayload, 'id' | 'idempotencyKey'>): Promise<unknown> {
    setProblem(null)
    try {
      const { DocNumber, Id, differenceCents } = await client.pos.refund({ id, ...content, idempotencyKey: keyOf(content) })
      toast.success(`Refund ${DocNumber ?? Id} is recorded in QuickBooks`)
      if (differenceCents !== null) toast.error(`QuickBooks’ total differs by ${formatMoney(Math.abs(differenceCents))}`)
      onDone()
    } catch (thrown) {
      const error = thrown as Errors
      if (isDefinedError(error) && (error.code === 'PENDING' || error.code === 'RECONNECT')) {
        toast.info('The refund is kept as pending', 'It will be recorded in QuickBooks by itself. Until then it stands in Collections.')
        onDone()
      } else if (isDefinedError(error) && (error.code === 'TOO_MUCH' || error.code === 'INVALID_REFERENCE')) {
        return error
      } else if (statusOf(thrown) === 0) {
        setProblem('The connection was lost. It is safe to try again: there will be one refund, never two.')
      } else {
        // QuickBooks’ own refusal is the end of this one; the next is another.
        sent.current = null
        setProblem(messageOf(thrown))
      }
    } finally {
      for (const call of [orpc.pos.receipt, orpc.pos.receipts, orpc.pos.receiptTotals, orpc.pos.pending])
        void cache.invalidateQueries({ queryKey: call.key() })
    }
    return null
  }

  return { send, problem }
}
