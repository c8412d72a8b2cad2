import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { formatMoney } from '../../../../ui/format.ts'

/** What cancelling a visit now means for its deposit and its fee. Nothing for a visit without terms. */
export function CancellationNote({ appointmentId: id }: { appointmentId: string }) {
  const maySee = usePermission()('visitFees.ofAppointment')
  const { data } = useQuery(orpc.visitFees.ofAppointment.queryOptions({ input: { id }, enabled: maySee }))
  const [now] = useState(() => Date.now())
  if (!data || data.fee) return null
  const { depositCents, lateFeeCents, freeUntil } = data.terms
  const deposit = data.deposit === 'paid' ? `The deposit of ${formatMoney(depositCents)} ` : null
  const isCharged = lateFeeCents > 0 && now > Date.parse(freeUntil)
  const lines = isCharged
    ? [
        `The patient agreed to a fee of ${formatMoney(lateFeeCents)} for cancelling this late.`,
        `${deposit ? `${deposit}is kept until you decide` : 'Decide'} under Deposit and fees whether to charge it.`,
      ]
    : [lateFeeCents > 0 ? 'It is in time, so there is no fee.' : null, deposit && `${deposit}goes back to the card.`]
  const text = lines.filter(Boolean).join(' ')
  return text === '' ? null : <span className="mt-3 block font-medium text-fg">{text}</span>
}
