import { Ban, Check, CheckCheck, Circle, CircleDot, type LucideIcon, X } from 'lucide-react'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'
import type { AppointmentStatus } from '../rules.ts'
import { statusLabels } from './labels.ts'

const marks: Record<AppointmentStatus, { icon: LucideIcon; tone: BadgeTone }> = {
  booked: { icon: Circle, tone: 'neutral' },
  confirmed: { icon: Check, tone: 'info' },
  arrived: { icon: CircleDot, tone: 'accent' },
  completed: { icon: CheckCheck, tone: 'success' },
  no_show: { icon: X, tone: 'danger' },
  cancelled: { icon: Ban, tone: 'neutral' },
}

/** The state by its shape; its name is read aloud. */
export function StatusIcon({ status, className }: { status: AppointmentStatus; className?: string }) {
  const { icon: Icon } = marks[status]
  return (
    <>
      <Icon aria-hidden="true" className={className} />
      <span className="sr-only">{statusLabels[status]}</span>
    </>
  )
}

export function StatusBadge({ status }: { status: AppointmentStatus }) {
  const { icon: Icon, tone } = marks[status]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {statusLabels[status]}
    </Badge>
  )
}
