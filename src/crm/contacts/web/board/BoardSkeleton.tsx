import { Skeleton } from '../../../../ui/display/Skeleton.tsx'

/** The loading state of the board. */
export function BoardSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex min-h-0 flex-1 overflow-hidden">
      {[4, 3, 5, 2, 3].map((count, column) => (
        // oxlint-disable-next-line no-array-index-key -- they never reorder
        <div key={column} className="flex w-[calc(100vw-3rem)] flex-none flex-col gap-2 border-r border-line px-3 pt-11 md:w-68">
          {Array.from({ length: count }, (_, index) => (
            <div key={index} className="flex h-24 animate-late flex-col gap-3 rounded-md border border-line p-3">
              <Skeleton className="w-3/5 bg-active" />
              <Skeleton className="w-2/5" />
              <Skeleton className="w-4/5" />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
