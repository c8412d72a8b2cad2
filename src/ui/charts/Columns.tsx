import { type ReactNode, useState } from 'react'
import { cn } from '../cn.ts'
import { Skeleton } from '../display/Skeleton.tsx'
import { useWidth } from '../hooks/useWidth.ts'
import { ticksBetween } from './ticks.ts'
import { useRecharts } from './useRecharts.ts'

interface Column {
  id: string
  /** Shown below if there is room. */
  name: string
  value: number
}

interface ColumnsProps<T extends Column> {
  columns: readonly T[]
  formatTick: (value: number) => string
  formatLabel: (value: number) => string
  /** Renders the link around a column and its name. */
  renderLink: (column: T, parts: { className: string; children: ReactNode }) => ReactNode
}

/** In px: height from the highest label to zero, and width of the axis labels. */
const [height, axisWidth] = [180, 44]
/** In px: width of a name, and of a number on a column. */
const [nameWidth, labelWidth] = [52, 40]

/** Numbers over time. A table must show the same data: on a narrow screen some names are left out. */
export function Columns<T extends Column>({ columns, formatTick, formatLabel, renderLink }: ColumnsProps<T>) {
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const [pointed, setPointed] = useState(-1)
  const { drawings, isMissing } = useRecharts()
  const width = useWidth(box)
  const values = columns.map(({ value }) => value)
  const room = (width - axisWidth) / Math.max(1, columns.length)
  const every = Math.max(1, Math.ceil(nameWidth / Math.max(1, room)))
  return (
    <div ref={setBox} className="relative">
      <div aria-hidden="true" className="absolute inset-x-0 top-0" style={{ height }}>
        {drawings
          ? width > 0 && (
              <drawings.DrawnColumns
                values={values}
                ticks={ticksBetween(Math.min(...values), Math.max(...values))}
                width={width}
                height={height}
                axisWidth={axisWidth}
                formatTick={formatTick}
                formatLabel={room >= labelWidth ? formatLabel : null}
                pointed={pointed}
              />
            )
          : !isMissing && (
              <div className="flex h-full items-end justify-around" style={{ paddingLeft: axisWidth }}>
                {['h-2/5', 'h-3/5', 'h-1/2', 'h-2/5', 'h-3/4', 'h-1/2'].map((high, index) => (
                  // oxlint-disable-next-line no-array-index-key -- they never reorder
                  <Skeleton key={index} className={`w-7 ${high}`} />
                ))}
              </div>
            )}
      </div>
      <ul className="relative flex" style={{ paddingLeft: axisWidth }}>
        {columns.map((column, index) => (
          <li key={column.id} className="min-w-0 flex-1" onPointerEnter={() => setPointed(index)} onPointerLeave={() => setPointed(-1)}>
            {renderLink(column, {
              className: 'group/bar flex flex-col items-center rounded-sm',
              children: (
                <>
                  <span className="flex items-end pb-0.5 text-xs font-semibold text-fg tabular-nums" style={{ height }}>
                    {isMissing && formatLabel(column.value)}
                  </span>
                  <span className="relative h-6 w-full pt-1.5 text-xs text-fg-2 group-hover/bar:text-accent-fg">
                    <span className={cn('absolute left-1/2 -translate-x-1/2 whitespace-nowrap', index % every !== 0 && 'hidden')}>
                      {column.name}
                    </span>
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
