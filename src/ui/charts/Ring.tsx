import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import { Skeleton } from '../display/Skeleton.tsx'
import type { RingSlice } from './recharts.tsx'
import { useRecharts } from './useRecharts.ts'

interface RingProps {
  slices: readonly RingSlice[]
  /** Sets the size. */
  className?: string
  /** Shown in the centre: the total. */
  children: ReactNode
}

/**
 * A donut chart around its total, for sight and pointer only: a legend next to it must show the same data and takes keyboard focus. Labels
 * are hidden below 640 px (spec 2).
 */
export function Ring({ slices, className, children }: RingProps) {
  const { drawings, isMissing } = useRecharts()
  return (
    <div className={cn('relative flex-none', className)}>
      <div aria-hidden="true" className="size-full">
        {drawings ? (
          <drawings.DrawnRing slices={slices} />
        ) : (
          !isMissing && <Skeleton className="size-full rounded-full border-40 border-hover bg-transparent" />
        )}
      </div>
      <p className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center">{children}</p>
    </div>
  )
}
