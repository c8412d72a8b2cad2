import type { LucideIcon } from 'lucide-react'
import { Badge, type BadgeTone } from '../../../../../ui/display/Badge.tsx'

/** How a status is shown. */
export interface Mark {
  icon: LucideIcon
  tone: BadgeTone
  label: string
}

/** The state by its shape; its name is read aloud. */
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
