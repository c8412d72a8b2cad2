import { Ban, Check, CheckCheck, CircleCheckBig, CircleDashed, type LucideIcon, Pause } from 'lucide-react'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'
import type { ShownStatus } from '../rules.ts'
import { statusLabels } from './labels.ts'

const marks: Record<ShownStatus, { icon: LucideIcon; tone: BadgeTone }> = {
  tentative: { icon: CircleDashed, tone: 'neutral' },
  confirmed: { icon: Check, tone: 'info' },
  ready: { icon: CircleCheckBig, tone: 'success' },
  completed: { icon: CheckCheck, tone: 'neutral' },
  postponed: { icon: Pause, tone: 'warning' },
  cancelled: { icon: Ban, tone: 'neutral' },
}

/** The state by its shape; its name is read aloud. */
export function StatusIcon({ status, className }: { status: ShownStatus; className?: string }) {
  const { icon: Icon } = marks[status]
  return (
    <>
      <Icon aria-hidden="true" className={className} />
      <span className="sr-only">{statusLabels[status]}</span>
    </>
  )
}

export function StatusBadge({ status }: { status: ShownStatus }) {
  const { icon: Icon, tone } = marks[status]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {statusLabels[status]}
    </Badge>
  )
}
