import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../cn.ts'

/** Floats at the bottom centre of its positioned parent; the list fades below it. */
export function BulkBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-0 z-(--z-sticky) flex justify-center bg-linear-to-t from-surface from-40% to-transparent px-2 pt-12 pb-4 md:px-4">
      <div
        role="toolbar"
        aria-label={label}
        data-foot
        className="relative no-scrollbar pointer-events-auto flex h-12 max-w-full animate-menu items-center gap-1 overflow-x-auto rounded-lg bg-inverse px-2 text-sm font-medium text-fg-inverse shadow-lg md:h-11"
      >
        {children}
      </div>
    </div>
  )
}

export function BulkLine() {
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
