import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import { Skeleton } from '../display/Skeleton.tsx'
import type { RingSlice } from './drawings.tsx'
import { useDrawings } from './useDrawings.ts'

interface RingProps {
  slices: readonly RingSlice[]
  /** Gives the size. */
  className?: string
  /** Stands in the middle: the total. */
  children: ReactNode
}

/**
 * A pie, drawn as a ring around its total. It is for the eye and the pointer: a legend beside it has to say the same to everyone, and is what
 * the keyboard goes through. Labels are hidden on small screens (spec 2), under 640 px.
 */
export function Ring({ slices, className, children }: RingProps) {
  const { drawings, isMissing } = useDrawings()
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
