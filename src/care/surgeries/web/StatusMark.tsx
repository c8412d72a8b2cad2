import { Ban, Check, CheckCheck, CircleCheckBig, CircleDashed, Pause } from 'lucide-react'
import { type Mark, MarkBadge, MarkIcon } from '../../calendar/web/embed/booking/StatusMark.tsx'
import type { ShownStatus } from '../rules.ts'
import { statusLabels } from './labels.ts'

const marks: Record<ShownStatus, Omit<Mark, 'label'>> = {
  tentative: { icon: CircleDashed, tone: 'neutral' },
  confirmed: { icon: Check, tone: 'info' },
  ready: { icon: CircleCheckBig, tone: 'success' },
  completed: { icon: CheckCheck, tone: 'neutral' },
  postponed: { icon: Pause, tone: 'warning' },
  cancelled: { icon: Ban, tone: 'neutral' },
}
const markOf = (status: ShownStatus): Mark => ({ ...marks[status], label: statusLabels[status] })

export const StatusIcon = ({ status, className }: { status: ShownStatus; className?: string }) => (
  <MarkIcon mark={markOf(status)} className={className} />
)

export const StatusBadge = ({ status }: { status: ShownStatus }) => <MarkBadge mark={markOf(status)} />
