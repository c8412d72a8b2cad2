import {
  Bar,
  BarChart,
  type BarShapeProps,
  CartesianGrid,
  LabelList,
  Line,
  LineChart,
  Pie,
  PieChart,
  type PieSectorShapeProps,
  Rectangle,
  ReferenceLine,
  Sector,
  XAxis,
  YAxis,
} from 'recharts'
import { cn } from '../cn.ts'
import { formatPercent } from '../format.ts'

// Recharts drawings with the design's defaults: no animation, no keyboard focus, nothing read aloud. Pages use the chart components in this
// folder, which load this file, reserve its space and add what is accessible.

const noMargin = { top: 0, right: 0, bottom: 0, left: 0 }
/** Drawn in its own units and scaled to its container. */
const filling = { width: '100%', height: '100%' }
/** Lines and numbers at the edge are not clipped. */
const unclipped = '[&_svg]:overflow-visible'
/** In px, for the label of the highest bar. */
const labelRoom = 20

/** A slice below this share has no room for its label. */
const leastLabelled = 0.065

/** Colours with light ink, overall and in the dark theme, as in tokens.css. */
const inkOf = (colour: number): string =>
  cn(
    [4, 6, 10].includes(colour) ? 'fill-(--chart-ink-dark)' : 'fill-(--chart-ink-light)',
    [3, 5, 7, 10].includes(colour) ? 'dark:fill-(--chart-ink-light)' : 'dark:fill-(--chart-ink-dark)',
  )

/** The ring in its own units: side of its square, outer and inner radius. */
const [side, outer, inner] = [202, 100, 58]

export interface RingSlice {
  value: number
  /** 1 to 10, in palette order. */
  colour: number
  /** Label on the slice if there is room. */
  label: string
  /** Tooltip. */
  title: string
  onOpen?: () => void
}

/** A donut chart, clockwise from the top. */
export function DrawnRing({ slices }: { slices: readonly RingSlice[] }) {
  const drawSlice = (sector: PieSectorShapeProps) => <Slice sector={sector} slice={slices[sector.index]} />
  return (
    <PieChart width={side} height={side} style={filling} margin={noMargin} accessibilityLayer={false}>
      <Pie
        data={slices.map(({ value, colour }) => ({ value, fill: `var(--chart-${colour})` }))}
        dataKey="value"
        innerRadius={inner}
        outerRadius={outer}
        startAngle={90}
        endAngle={-270}
        stroke="var(--bg-surface)"
        strokeWidth={slices.length > 1 ? 2 : 0}
        shape={drawSlice}
        onClick={(_, index) => slices[index]?.onOpen?.()}
        rootTabIndex={-1}
        isAnimationActive={false}
      />
    </PieChart>
  )
}

function Slice({ sector, slice }: { sector: PieSectorShapeProps; slice: RingSlice | undefined }) {
  if (!slice) return null
  return (
    <g className={cn('transition-opacity duration-(--dur-1)', slice.onOpen && 'cursor-pointer hover:opacity-85')}>
      <title>{slice.title}</title>
      <Sector {...sector} />
      {(sector.percent ?? 0) >= leastLabelled && (
        // Recharts calls the middle of the slice the tooltip's position.
        <text
          {...sector.tooltipPosition}
          dy="0.35em"
          textAnchor="middle"
          className={cn('hidden text-xs font-semibold tabular-nums sm:block', inkOf(slice.colour))}
        >
          {slice.label}
        </text>
      )}
    </g>
  )
}

interface DrawnBarsProps {
  percents: readonly number[]
  /** Grid lines, from zero up. */
  ticks: readonly number[]
  /** In px. */
  width: number
  /** In px, from the highest label to zero. */
  height: number
  /** Width of the axis labels. */
  axisWidth: number
  /** Index of the hovered bar. */
  pointed: number
}

/** Bars over a grid, each with its percentage on top. */
export function DrawnBars({ percents, ticks, width, height, axisWidth, pointed }: DrawnBarsProps) {
  function drawBar({ x, y, height, ...bar }: BarShapeProps) {
    // Between two pixels its edges would be blurry.
    const [left, top] = [Math.round(x), Math.round(y)]
    return (
      <Rectangle
        {...bar}
        x={left}
        y={top}
        height={y + height - top}
        className={cn('transition-opacity duration-(--dur-1)', bar.index === pointed && 'opacity-85')}
      />
    )
  }
  return (
    <BarChart
      width={width}
      // Draws the zero line below the bars.
      height={height + 1}
      className={unclipped}
      data={percents.map((percent) => ({ percent }))}
      margin={{ ...noMargin, top: labelRoom }}
      barSize={28}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" shapeRendering="crispEdges" />
      <XAxis height={1} tick={false} tickLine={false} axisLine={{ stroke: 'var(--line-2)', shapeRendering: 'crispEdges' }} />
      <YAxis
        width={axisWidth}
        domain={[0, ticks.at(-1) ?? 0]}
        ticks={ticks}
        interval={0}
        tick={{ fill: 'var(--chart-axis)', className: 'text-xs tabular-nums' }}
        tickLine={false}
        axisLine={false}
      />
      <Bar dataKey="percent" fill="var(--chart-1)" radius={[4, 4, 0, 0]} shape={drawBar} activeBar={false} isAnimationActive={false}>
        <LabelList position="top" offset={6} fill="var(--fg-1)" className="text-xs font-semibold tabular-nums" formatter={labelOf} />
      </Bar>
    </BarChart>
  )
}

interface DrawnColumnsProps {
  values: readonly number[]
  /** Grid lines, from the lowest up. */
  ticks: readonly number[]
  /** In px. */
  width: number
  height: number
  axisWidth: number
  /** Label of a grid line, and of a column's top; null if there is no room. */
  formatTick: (value: number) => string
  formatLabel: ((value: number) => string) | null
  pointed: number
}

/** A column chart over a grid. */
export function DrawnColumns({ values, ticks, width, height, axisWidth, formatTick, formatLabel, pointed }: DrawnColumnsProps) {
  const room = (width - axisWidth) / Math.max(1, values.length)
  function drawColumn({ x, y, width: wide, height: high, ...bar }: BarShapeProps) {
    const [left, top] = [Math.round(x), Math.round(y)]
    return (
      <Rectangle
        {...bar}
        x={left}
        y={top}
        width={wide}
        height={y + high - top}
        className={cn('transition-opacity duration-(--dur-1)', bar.index === pointed && 'opacity-85')}
      />
    )
  }
  return (
    <BarChart
      width={width}
      height={height + 1}
      className={unclipped}
      data={values.map((value) => ({ value }))}
      margin={{ ...noMargin, top: labelRoom }}
      barSize={Math.max(2, Math.min(28, Math.floor(room * 0.6)))}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" shapeRendering="crispEdges" />
      <XAxis height={1} tick={false} tickLine={false} axisLine={false} />
      <YAxis
        width={axisWidth}
        domain={[ticks[0] ?? 0, ticks.at(-1) ?? 0]}
        ticks={ticks}
        interval={0}
        tick={{ fill: 'var(--chart-axis)', className: 'text-xs tabular-nums' }}
        tickFormatter={formatTick}
        tickLine={false}
        axisLine={false}
      />
      <ReferenceLine y={0} stroke="var(--line-2)" shapeRendering="crispEdges" />
      <Bar
        dataKey="value"
        fill="var(--chart-1)"
        radius={[room > 16 ? 4 : 2, room > 16 ? 4 : 2, 0, 0]}
        shape={drawColumn}
        activeBar={false}
        isAnimationActive={false}
      >
        {formatLabel && (
          <LabelList
            position="top"
            offset={6}
            fill="var(--fg-1)"
            className="text-xs font-semibold tabular-nums"
            formatter={(value: unknown) => formatLabel(Number(value))}
          />
        )}
      </Bar>
    </BarChart>
  )
}

const labelOf = (percent: unknown): string => formatPercent(Number(percent))

/** A line from zero up, or from the lowest value if `isFitted`, without axes. */
export function DrawnLine({ values, isFitted }: { values: readonly number[]; isFitted: boolean }) {
  return (
    <LineChart
      width={72}
      height={20}
      style={filling}
      className={unclipped}
      data={values.map((value) => ({ value }))}
      margin={noMargin}
      accessibilityLayer={false}
    >
      <YAxis hide domain={isFitted ? ['dataMin', 'dataMax'] : [0, (highest: number) => Math.max(1, highest)]} />
      <Line
        dataKey="value"
        type="linear"
        stroke="var(--chart-1)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
        dot={false}
        activeDot={false}
        isAnimationActive={false}
      />
    </LineChart>
  )
}
