import { type ReactNode, useState } from 'react'
import { formatPercent } from '../format.ts'
import { Skeleton } from '../display/Skeleton.tsx'
import { useWidth } from '../hooks/useWidth.ts'
import { ticksFor } from './ticks.ts'
import { useRecharts } from './useRecharts.ts'

interface Bar {
  id: string
  name: string
  /** Shown below the name: the count behind the percentage. */
  note: string
  percent: number
}

interface BarsProps<T extends Bar> {
  bars: readonly T[]
  /** Renders the link around a bar and its name. */
  renderLink: (bar: T, column: { className: string; children: ReactNode }) => ReactNode
}

/** In px: height from the highest label to zero, width of the axis labels, and minimum width of a bar's name. */
const [height, axisWidth, minColumnWidth] = [180, 28, 104]

/** A bar chart of percentages: scrolls sideways if the bars do not fit. */
export function Bars<T extends Bar>({ bars, renderLink }: BarsProps<T>) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [pointed, setPointed] = useState<string | null>(null)
  const { drawings, isMissing } = useRecharts()
  const available = useWidth(box)
  const width = available > 0 ? Math.max(available, axisWidth + bars.length * minColumnWidth) : 0
  return (
    <div ref={setBox} className="overflow-x-auto overflow-y-hidden">
      <div className="relative" style={{ width: width || undefined }}>
        <div aria-hidden="true" className="absolute inset-x-0 top-0" style={{ height }}>
          {drawings
            ? width > 0 && (
                <drawings.DrawnBars
                  percents={bars.map(({ percent }) => percent)}
                  ticks={ticksFor(Math.max(...bars.map(({ percent }) => percent)))}
                  width={width}
                  height={height}
                  axisWidth={axisWidth}
                  pointed={bars.findIndex(({ id }) => id === pointed)}
                />
              )
            : !isMissing && <SkeletonBars count={bars.length} />}
        </div>
        <ul className="relative flex" style={{ paddingLeft: axisWidth }}>
          {bars.map((bar) => (
            <li key={bar.id} className="min-w-0 flex-1" onPointerEnter={() => setPointed(bar.id)} onPointerLeave={() => setPointed(null)}>
              {renderLink(bar, {
                className: 'group/bar flex flex-col items-center rounded-sm',
                children: (
                  <>
                    <span className="flex items-end pb-0.5 text-xs font-semibold text-fg tabular-nums" style={{ height }}>
                      {isMissing && formatPercent(bar.percent)}
                    </span>
                    <span className="line-clamp-2 w-full px-0.5 pt-2 text-center text-xs tracking-[-0.02em] text-balance hyphens-auto text-fg-2 [overflow-wrap:anywhere] group-hover/bar:text-accent-fg">
                      {bar.name}
                    </span>
                    <span className="pt-0.5 pb-1 text-center text-xs text-fg-3 tabular-nums">{bar.note}</span>
                  </>
                ),
              })}
            </li>
          ))}
        </ul>
      </div>
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
