import type { LucideIcon } from 'lucide-react'
import { Badge, type BadgeTone } from '../../../../../ui/display/Badge.tsx'

/** The appearance of a status. */
export interface Mark {
  icon: LucideIcon
  tone: BadgeTone
  label: string
}

/** A status as an icon, with its name for screen readers. */
export function MarkIcon({ mark: { icon: Icon, label }, className }: { mark: Mark; className?: string | undefined }) {
  return (
    <>
      <Icon aria-hidden="true" className={className} />
      <span className="sr-only">{label}</span>
    </>
  )
}

export function MarkBadge({ mark: { icon: Icon, tone, label } }: { mark: Mark }) {
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {label}
    </Badge>
  )
}
