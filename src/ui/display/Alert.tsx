import { cva } from 'class-variance-authority'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

const style = cva('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md px-3 py-2.5 text-sm text-fg', {
  variants: {
    tone: {
      info: 'bg-info-soft [&>div>svg]:text-info-fg',
      success: 'bg-success-soft [&>div>svg]:text-success-fg',
      warning: 'bg-warning-soft [&>div>svg]:text-warning-fg',
      danger: 'bg-danger-soft [&>div>svg]:text-danger-fg',
    },
  },
})
const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert }

interface AlertProps {
  tone: keyof typeof icons
  /** First sentence, bold. */
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}

export function Alert({ tone, title, children, action, className }: AlertProps) {
  const Icon = icons[tone]
  return (
    <div role={tone === 'danger' ? 'alert' : 'status'} className={cn(style({ tone }), className)}>
      {/* Aligned with the first line of text, which is centred next to a taller action. */}
      <div className="flex min-w-0 flex-1 basis-56 gap-3">
        <Icon aria-hidden="true" className="mt-0.5" />
        <p className="min-w-0 flex-1">
          {title && <strong className="font-semibold">{title}</strong>}
          {title && children ? ' ' : null}
          {children}
        </p>
      </div>
      {action}
    </div>
  )
}
