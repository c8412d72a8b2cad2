import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

// Background clipped for the same reason as in Avatar.
const style = cva(
  'inline-flex h-5 flex-none items-center gap-1 rounded-xs bg-clip-padding px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'bg-hover text-fg-2',
        info: 'bg-info-soft text-info-fg',
        success: 'bg-success-soft text-success-fg',
        warning: 'bg-warning-soft text-warning-fg',
        danger: 'bg-danger-soft text-danger-fg',
        accent: 'bg-accent-soft text-accent-fg',
        rose: 'bg-tint-5-soft text-tint-5',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

export type BadgeTone = NonNullable<VariantProps<typeof style>['tone']>

/** A status, one per row. */
export function Badge({
  tone,
  icon,
  className,
  children,
}: {
  tone?: BadgeTone
  icon?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <span data-badge className={cn(style({ tone }), className)}>
      {icon}
      {children}
    </span>
  )
}
