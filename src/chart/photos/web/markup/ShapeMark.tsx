import type { Size } from '../../adjust-rules.ts'
import { arrowHead, formatLength, lengthOf, type Shape, strokePath, type TextSize } from '../../markup-rules.ts'

/** In thousandths of the photo's longer side, so that markup looks alike on every photo. */
const strokeWidth = 3.2
const edgeWidth = 2
const textHeights: Record<TextSize, number> = { small: 20, medium: 30, large: 46 }
const headLength = 26

/** The pixels of a photo per thousandth of its longer side. */
export const unitOf = ({ width, height }: Size): number => Math.max(width, height) / 1000

interface ShapeMarkProps {
  shape: Shape
  /** The layer to which it belongs: lines are measured by its line of known length. */
  shapes: readonly Shape[]
  size: Size
}

/** One shape of markup, in pixels of the upright original, with an edge that shows it on light and dark skin. */
export function ShapeMark({ shape, shapes, size }: ShapeMarkProps) {
  const unit = unitOf(size)
  const colour = `var(--markup-${shape.colour})`
  if (shape.kind === 'text') {
    return (
      <Label at={shape.at} size={size} height={textHeights[shape.size] * unit} colour={colour}>
        {shape.text}
      </Label>
    )
  }
  const path = pathOf(shape, size)
  return (
    <>
      <path d={path} fill="none" stroke="var(--markup-edge)" strokeWidth={(strokeWidth + edgeWidth) * unit} {...round} />
      <path d={path} fill="none" stroke={colour} strokeWidth={strokeWidth * unit} {...round} />
      {shape.kind === 'measure' && (
        <Label at={middle(shape)} size={size} height={textHeights.medium * unit} colour={colour} lift={16 * unit}>
          {formatLength(lengthOf(shape, shapes, size))}
        </Label>
      )}
    </>
  )
}

const round = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const
const middle = ({ from, to }: Extract<Shape, { kind: 'measure' }>): [number, number] => [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]

/** The lines of a shape, which are also where it is touched. */
export function pathOf(shape: Exclude<Shape, { kind: 'text' }>, size: Size): string {
  if (shape.kind === 'pen') return strokePath(shape.points, size)
  const { from, to } = shape
  const line = strokePath([from, to], size)
  if (shape.kind === 'arrow') return line + arrowHead(from, to, size, headLength * unitOf(size))
  return line + crossLine(from, to, from, size) + crossLine(from, to, to, size)
}

/** The short line across the end of a measured line. */
function crossLine(from: readonly number[], to: readonly number[], at: readonly number[], { width, height }: Size): string {
  const [dx, dy] = [(to[0]! - from[0]!) * width, (to[1]! - from[1]!) * height]
  const length = Math.hypot(dx, dy)
  if (length === 0) return ''
  const half = 9 * unitOf({ width, height })
  const [x, y] = [at[0]! * width, at[1]! * height]
  const [ox, oy] = [(-dy / length) * half, (dx / length) * half]
  return `M${x - ox} ${y - oy}L${x + ox} ${y + oy}`
}

interface LabelProps {
  at: readonly [number, number]
  size: Size
  height: number
  colour: string
  lift?: number
  children: string
}

function Label({ at: [x, y], size, height, colour, lift = 0, children }: LabelProps) {
  return (
    <text
      x={x * size.width}
      y={y * size.height - lift}
      fontSize={height}
      fontWeight={600}
      textAnchor="middle"
      fill={colour}
      stroke="var(--markup-edge)"
      strokeWidth={height / 7}
      strokeLinejoin="round"
      paintOrder="stroke"
      className="select-none"
    >
      {children}
    </text>
  )
}
