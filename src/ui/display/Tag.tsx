import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

/** Always neutral. With `onRemove` it has its own ×. */
export function Tag({
  children,
  onRemove,
  removeLabel,
  className,
}: {
  children: ReactNode
  onRemove?: () => void
  removeLabel?: string
  className?: string
}) {
  return (
    <span className={cn('inline-flex h-5 max-w-full items-center rounded-xs bg-hover text-xs font-medium text-fg-2', className)}>
      <span className={cn('truncate pl-1.5', onRemove ? 'pr-0.5' : 'pr-1.5')}>{children}</span>
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel ?? 'Remove'}
          onClick={onRemove}
          className="relative flex size-5 items-center justify-center rounded-xs text-fg-3 touch-target hover:bg-active hover:text-fg"
        >
          <X className="size-3!" />
        </button>
      )}
    </span>
  )
}
