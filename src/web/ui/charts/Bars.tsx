import { type ReactNode, useState } from 'react'
import { formatPercent } from '../format.ts'
import { Skeleton } from '../Skeleton.tsx'
import { useWidth } from '../useWidth.ts'
import { ticksFor } from './ticks.ts'
import { useDrawings } from './useDrawings.ts'

interface Bar {
  id: string
  name: string
  percent: number
}

interface BarsProps<T extends Bar> {
  bars: readonly T[]
  /** Makes the link that a bar, with its name below, is. */
  renderLink: (bar: T, column: { className: string; children: ReactNode }) => ReactNode
}

/** In px: from the top of the highest label down to zero, and the numbers of the axis. */
const [height, axisWidth] = [180, 28]

/** As many as stay readable in so many px. */
const countFor = (width: number): number => (width < 384 ? 3 : width < 512 ? 4 : 6)

/** Percentages side by side: the first of `bars`, as many as there is room for. A table has to say the same of all of them. */
export function Bars<T extends Bar>({ bars, renderLink }: BarsProps<T>) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [pointed, setPointed] = useState<string | null>(null)
  const { drawings, isMissing } = useDrawings()
  const width = useWidth(box)
  const shown = bars.slice(0, countFor(width))
  return (
    <div ref={setBox} className="relative">
      <div aria-hidden="true" className="absolute inset-x-0 top-0" style={{ height }}>
        {drawings
          ? width > 0 && (
              <drawings.DrawnBars
                percents={shown.map(({ percent }) => percent)}
                ticks={ticksFor(Math.max(...bars.map(({ percent }) => percent)))}
                width={width}
                height={height}
                axisWidth={axisWidth}
                pointed={shown.findIndex(({ id }) => id === pointed)}
              />
            )
          : !isMissing && <SkeletonBars count={shown.length} />}
      </div>
      <ul className="relative flex" style={{ paddingLeft: axisWidth }}>
        {shown.map((bar) => (
          <li key={bar.id} className="min-w-0 flex-1" onPointerEnter={() => setPointed(bar.id)} onPointerLeave={() => setPointed(null)}>
            {renderLink(bar, {
              className: 'group/bar flex flex-col items-center rounded-sm',
              children: (
                <>
                  <span className="flex items-end pb-0.5 text-xs font-semibold text-fg tabular-nums" style={{ height }}>
                    {isMissing && formatPercent(bar.percent)}
                  </span>
                  {/* A long word may reach into the room that its neighbours leave. */}
                  <span className="-mx-2 line-clamp-2 w-[calc(100%+1rem)] pt-2 text-center text-xs tracking-[-0.02em] text-balance hyphens-auto text-fg-2 [overflow-wrap:anywhere] group-hover/bar:text-accent-fg">
                    {bar.name}
                  </span>
                </>
              ),
            })}
          </li>
        ))}
      </ul>
    </div>
  )
}

const SkeletonBars = ({ count }: { count: number }) => (
  <div className="flex h-full items-end justify-around" style={{ paddingLeft: axisWidth }}>
    {Array.from({ length: count }, (_, index) => (
      <Skeleton key={index} className={`w-7 ${['h-2/5', 'h-3/5', 'h-1/2'][index % 3]}`} />
    ))}
  </div>
)
