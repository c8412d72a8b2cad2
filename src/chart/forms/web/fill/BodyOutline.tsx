import type { MouseEventHandler } from 'react'
import { type BodyView, gridSize, type Point } from '../../rules.ts'

interface BodyOutlineProps {
  view: BodyView
  points: readonly Point[]
  label: string
  /** Marks where it is clicked. Those who use no pointer mark an area from a list instead. */
  onClick?: MouseEventHandler<HTMLElement>
}

const body =
  'M500 30c-42 0-68 32-68 72 0 30 14 56 36 68v26c-8 14-60 20-102 34-40 14-54 44-60 90l-22 130-22 92c-4 20 20 28 30 8l34-90 40-132 14 100c-14 40-26 84-24 132l22 176 6 70-12 106c-4 24 60 24 62 0l16-110 20-180 30-112h8l30 112 20 180 16 110c2 24 66 24 62 0l-12-106 6-70 22-176c2-48-10-92-24-132l14-100 40 132 34 90c10 20 34 12 30-8l-22-92-22-130c-6-46-20-76-60-90-42-14-94-20-102-34v-26c22-12 36-38 36-68 0-40-26-72-68-72z'
const face =
  'M500 90c-170 0-270 120-270 290 0 40 4 70 10 100-30-14-56 6-50 46 6 50 30 90 66 86 30 130 120 250 244 250s214-120 244-250c36 4 60-36 66-86 6-40-20-60-50-46 6-30 10-60 10-100 0-170-100-290-270-290zM400 850v110M600 850v110'
const features = 'M330 400q55-36 110 0M560 400q55-36 110 0M500 400v120q-30 24-40 24M430 690q70 36 140 0'
const spine = 'M500 200v290M440 500q60 44 120 0'

/** A figure without details, in the practice's colours, with the marks. */
export function BodyOutline({ view, points, label, onClick }: BodyOutlineProps) {
  const isFace = view === 'face'
  const picture = (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${gridSize} ${gridSize}`}
      preserveAspectRatio="none"
      className={`block h-96 max-w-full rounded-lg border border-line bg-subtle group-aria-invalid/question:border-danger ${isFace ? 'aspect-4/5' : 'aspect-1/2'}`}
    >
      <g fill="none" className="stroke-line-control" strokeWidth="1.75" strokeLinejoin="round" strokeLinecap="round">
        <path d={isFace ? face : body} className="fill-surface" vectorEffect="non-scaling-stroke" />
        {view !== 'front' && <path d={isFace ? features : spine} vectorEffect="non-scaling-stroke" />}
      </g>
      {points.map(({ x, y }) => (
        // The picture is stretched to its shape, so a round mark is an ellipse.
        <ellipse
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          rx={isFace ? 25 : 40}
          ry={20}
          className="fill-accent stroke-surface"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
  if (!onClick) return picture
  return (
    <button type="button" tabIndex={-1} onClick={onClick} className="mx-auto block max-w-full cursor-crosshair">
      {picture}
    </button>
  )
}
