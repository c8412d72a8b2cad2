import type { KeyboardEvent } from 'react'
import type { Size } from '../../adjust-rules.ts'
import { formatLength, lengthOf, type PhotoPoint, type Shape, shapeNames } from '../../markup-rules.ts'
import { pathOf, ShapeMark, unitOf } from './ShapeMark.tsx'

interface DraftShapeProps {
  shape: Shape
  shapes: readonly Shape[]
  size: Size
  isSelected: boolean
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** 'Arrow 2', and for a screen reader also what it says. */
export function nameOfShape(shape: Shape, shapes: readonly Shape[], size: Size): string {
  const number = shapes.filter(({ kind }) => kind === shape.kind).indexOf(shape) + 1
  const name = `${shapeNames[shape.kind]} ${number}`
  if (shape.kind === 'text') return `${name}, ${shape.text}`
  return shape.kind === 'measure' ? `${name}, ${formatLength(lengthOf(shape, shapes, size))}` : name
}

/** A shape that can be selected, moved and sized, by mouse, touch and keys. */
export function DraftShape({ shape, shapes, size, isSelected, onFocus, onKeyDown }: DraftShapeProps) {
  const unit = unitOf(size)
  const ends: readonly ['from' | 'to', PhotoPoint][] =
    shape.kind === 'arrow' || shape.kind === 'measure'
      ? [
          ['from', shape.from],
          ['to', shape.to],
        ]
      : []
  return (
    <>
      <g
        data-shape={shape.id}
        role="button"
        aria-label={nameOfShape(shape, shapes, size)}
        aria-pressed={isSelected}
        tabIndex={0}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        className="cursor-move outline-none"
      >
        <ShapeMark shape={shape} shapes={shapes} size={size} />
        {isSelected && <Outline shape={shape} size={size} />}
        {/* What a finger hits. */}
        {shape.kind !== 'text' && (
          <path d={pathOf(shape, size)} fill="none" stroke="transparent" strokeWidth={36 * unit} pointerEvents="stroke" />
        )}
      </g>
      {isSelected &&
        ends.map(([end, [x, y]]) => (
          <g key={end} data-shape={shape.id} data-end={end} className="cursor-crosshair">
            <circle cx={x * size.width} cy={y * size.height} r={26 * unit} fill="transparent" />
            <circle
              cx={x * size.width}
              cy={y * size.height}
              r={8 * unit}
              fill="var(--markup-white)"
              stroke="var(--markup-edge)"
              strokeWidth={2 * unit}
            />
          </g>
        ))}
    </>
  )
}

/** The dashed line around what is selected. */
function Outline({ shape, size }: { shape: Shape; size: Size }) {
  const unit = unitOf(size)
  const dashes = {
    fill: 'none',
    stroke: 'var(--markup-white)',
    strokeWidth: 1.6 * unit,
    strokeDasharray: `${6 * unit} ${5 * unit}`,
    pointerEvents: 'none',
  } as const
  if (shape.kind === 'text') {
    const [x, y] = [shape.at[0] * size.width, shape.at[1] * size.height]
    const width = Math.max(60, shape.text.length * 18) * unit
    return <rect x={x - width / 2} y={y - 40 * unit} width={width} height={56 * unit} {...dashes} />
  }
  const points = shape.kind === 'pen' ? shape.points : [shape.from, shape.to]
  const [xs, ys] = [points.map(([x]) => x * size.width), points.map(([, y]) => y * size.height)]
  const [left, top] = [Math.min(...xs) - 14 * unit, Math.min(...ys) - 14 * unit]
  return <rect x={left} y={top} width={Math.max(...xs) - left + 14 * unit} height={Math.max(...ys) - top + 14 * unit} {...dashes} />
}
