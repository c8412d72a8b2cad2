import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import type { ReportName } from '../name-rules.ts'
import { definitionOf } from '../report-rules.ts'

/** Placeholder in the final size. */
export function ReportSkeleton({ report }: { report: ReportName }) {
  const { figures, breakdowns } = definitionOf(report)
  return (
    <div aria-hidden="true" className="flex flex-col gap-5">
      <div className="flex overflow-hidden rounded-lg border border-line">
        {figures.map((key) => (
          <div
            key={key}
            className="flex h-26 flex-1 flex-col gap-3.5 border-l border-line p-4.5 first:border-l-0 max-md:nth-3:hidden max-md:nth-4:hidden"
          >
            <Skeleton className="w-20 max-w-full" />
            <Skeleton className="h-6 w-16 bg-active" />
            <Skeleton className="h-2 w-24 max-w-full" />
          </div>
        ))}
      </div>
      {Object.keys(breakdowns).map((key) => (
        <div key={key} className="flex flex-col gap-4 border-b border-line pb-6">
          <Skeleton className="w-36 bg-active" />
          {['w-full', 'w-4/5', 'w-11/12', 'w-3/5', 'w-2/3'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      ))}
    </div>
  )
}
