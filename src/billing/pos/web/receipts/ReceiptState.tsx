import { Ban, CircleCheck, CircleX, Clock, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BadgeTone } from '../../../../ui/display/Badge.tsx'
import type { ReceiptState } from '../../../payments/contract.ts'
import { formatRefund } from './labels.ts'
import type { ReceiptData } from './receipt-data.ts'

interface StateBadge {
  tone: BadgeTone
  icon: ReactNode
  label: string
}

export const stateBadges: Record<ReceiptState, StateBadge> = {
  pending: { tone: 'warning', icon: <Clock />, label: 'Pending' },
  complete: { tone: 'success', icon: <CircleCheck />, label: 'Recorded' },
  failed: { tone: 'danger', icon: <CircleX />, label: 'Refused' },
  cancelled: { tone: 'neutral', icon: <Ban />, label: 'Cancelled' },
}

/** A sale's state, or that it was refunded since. */
export function badgeOf(receipt: ReceiptData): StateBadge {
  const refunded = receipt.kind === 'sale' && receipt.state === 'complete' ? formatRefund(receipt) : null
  return refunded === null ? stateBadges[receipt.state] : { tone: 'neutral', icon: <Undo2 />, label: refunded }
}
