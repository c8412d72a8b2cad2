import { cn } from '../cn.ts'

/** A bar or circle of the final size. Appears after 200 ms, so fast answers never flash. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('block h-2.5 animate-late rounded-sm bg-hover', className)} />
}

interface SkeletonRowsProps {
  rows?: number
  className?: string
  rowClassName?: string
  /** In English unless stated. */
  label?: string
}

/** List placeholder: an avatar and two lines per row. */
export function SkeletonRows({ rows = 8, className, rowClassName, label = 'Loading' }: SkeletonRowsProps) {
  return (
    <div role="status" aria-label={label} className={className}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={cn('flex h-(--row) animate-late items-center gap-3 border-b border-line px-4 md:px-6', rowClassName)}>
          <Skeleton className="size-7 flex-none rounded-full bg-active" />
          <span className="flex flex-1 flex-col gap-1.5">
            <Skeleton className={cn('bg-active', ['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3'][index % 4])} />
            <Skeleton className={cn('h-1.5', ['w-1/3', 'w-1/4', 'w-2/5', 'w-1/5'][index % 4])} />
          </span>
          <Skeleton className="w-16 bg-active" />
        </div>
      ))}
    </div>
  )
}
