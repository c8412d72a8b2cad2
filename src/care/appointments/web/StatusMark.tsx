import { Ban, Check, CheckCheck, Circle, CircleDot, X } from 'lucide-react'
import { type Mark, MarkBadge, MarkIcon } from '../../calendar/web/embed/booking/StatusMark.tsx'
import type { AppointmentStatus } from '../rules.ts'
import { statusLabels } from './embed/labels.ts'

const marks: Record<AppointmentStatus, Omit<Mark, 'label'>> = {
  booked: { icon: Circle, tone: 'neutral' },
  confirmed: { icon: Check, tone: 'info' },
  arrived: { icon: CircleDot, tone: 'accent' },
  completed: { icon: CheckCheck, tone: 'success' },
  no_show: { icon: X, tone: 'danger' },
  cancelled: { icon: Ban, tone: 'neutral' },
}
const markOf = (status: AppointmentStatus): Mark => ({ ...marks[status], label: statusLabels[status] })

export const StatusIcon = ({ status, className }: { status: AppointmentStatus; className?: string }) => (
  <MarkIcon mark={markOf(status)} className={className} />
)

export const StatusBadge = ({ status }: { status: AppointmentStatus }) => <MarkBadge mark={markOf(status)} />
