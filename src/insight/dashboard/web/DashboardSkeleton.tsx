import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { SplitRow, Wing } from './SplitRow.tsx'

/** Placeholder in the final size. */
export function DashboardSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-5">
      <div className="grid grid-cols-2 overflow-hidden rounded-lg border border-line @3xl:grid-cols-5">
        {['week', 'month', 'total', 'response', 'consult'].map((key) => (
          <div
            key={key}
            className="-mt-px -ml-px flex h-26.5 flex-col gap-3.5 border-t border-l border-line p-4.5 @max-3xl:nth-3:col-span-2"
          >
            <Skeleton className="w-24" />
            <Skeleton className="h-6 w-16 bg-active" />
            <Skeleton className="h-2 w-32 max-w-full" />
          </div>
        ))}
      </div>
      <SplitRow sides="2fr 3fr">
        <Wing>
          <Heading />
          <div className="flex h-64 items-center gap-6">
            <Skeleton className="size-47 rounded-full" />
            <Lines count={8} className="flex-1" />
          </div>
        </Wing>
        <Wing>
          <Heading />
          <Lines count={7} className="h-64 justify-around" bar="h-4.5" />
        </Wing>
      </SplitRow>
      <SplitRow>
        {['tasks', 'activity'].map((key) => (
          <Wing key={key}>
            <Heading />
            <Lines count={5} className="h-64 justify-around" bar="h-5" />
          </Wing>
        ))}
      </SplitRow>
      <SplitRow>
        {['all', 'month'].map((key) => (
          <Wing key={key}>
            <Heading />
            <div className="flex h-64 items-end justify-around">
              {['h-2/5', 'h-3/5', 'h-1/2', 'h-1/3', 'h-1/4', 'h-3/5'].map((height, index) => (
                // oxlint-disable-next-line no-array-index-key -- the bars never reorder
                <Skeleton key={index} className={`w-7 ${height}`} />
              ))}
            </div>
          </Wing>
        ))}
      </SplitRow>
    </div>
  )
}

const Heading = () => (
  <div className="flex min-h-8 items-center pb-2">
    <Skeleton className="w-36 bg-active" />
  </div>
)

const Lines = ({ count, className, bar = 'h-2.5' }: { count: number; className: string; bar?: string }) => (
  <div className={`flex flex-col gap-3.5 ${className}`}>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} className={`${bar} ${['w-full', 'w-4/5', 'w-11/12', 'w-3/5'][index % 4]}`} />
    ))}
  </div>
)
