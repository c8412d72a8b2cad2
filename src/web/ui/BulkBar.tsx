import { X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'

interface BulkBarProps {
  /** Nothing is drawn at 0. */
  count: number
  onClear: () => void
  /** BulkActions. */
  children: ReactNode
}

/** Floats at the bottom centre of its positioned parent; the list fades under it. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  if (count === 0) return null
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-0 z-(--z-sticky) flex justify-center bg-linear-to-t from-surface from-40% to-transparent px-4 pt-12 pb-4">
      <div
        role="toolbar"
        aria-label="Selected rows"
        className="no-scrollbar pointer-events-auto flex h-11 max-w-full animate-menu items-center gap-1 overflow-x-auto rounded-lg bg-inverse px-2 text-sm font-medium text-fg-inverse shadow-lg"
      >
        <span className="flex-none px-2 tabular-nums" aria-live="polite">
          {count} selected
        </span>
        <Line />
        {children}
        <Line />
        <BulkAction aria-label="Clear selection" onClick={onClear}>
          <X />
        </BulkAction>
      </div>
    </div>
  )
}

function Line() {
  return <span aria-hidden="true" className="mx-1 h-5 w-px flex-none bg-current/25" />
}

export function BulkAction({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className={cn(
        'relative flex h-8 flex-none items-center gap-2 rounded-sm px-2 outline-offset-[-2px] touch-target hover:bg-current/10 focus-visible:outline-current',
        className,
      )}
      {...rest}
    />
  )
}
