import { Ban, CircleCheck, CircleX, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BadgeTone } from '../../../../ui/display/Badge.tsx'
import type { ReceiptState } from '../../../payments/contract.ts'

export const stateBadges: Record<ReceiptState, { tone: BadgeTone; icon: ReactNode; label: string }> = {
  pending: { tone: 'warning', icon: <Clock />, label: 'Pending' },
  complete: { tone: 'success', icon: <CircleCheck />, label: 'Recorded' },
  failed: { tone: 'danger', icon: <CircleX />, label: 'Refused' },
  cancelled: { tone: 'neutral', icon: <Ban />, label: 'Cancelled' },
}
