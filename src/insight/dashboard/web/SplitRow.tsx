import type { ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'

/** Two parts side by side with a hairline between, stacked when narrow. */
export function SplitRow({ sides = 'even', children }: { sides?: 'even' | '2fr 3fr'; children: ReactNode }) {
  return (
    <div
      className={cn(
        'grid gap-6 border-line not-last:border-b not-last:pb-6 @4xl:gap-0',
        sides === 'even' ? '@4xl:grid-cols-2' : '@4xl:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]',
      )}
    >
      {children}
    </div>
  )
}

/** One of them. */
export function Wing({ children }: { children: ReactNode }) {
  // Content adapts to its own width, not the page's.
  return (
    <div className="min-w-0 border-line @max-4xl:not-last:border-b @max-4xl:not-last:pb-6 @4xl:first:pr-7 @4xl:last:border-l @4xl:last:pl-7">
      <div className="@container h-full">{children}</div>
    </div>
  )
}
