import { gridSize, type Signature } from '../../rules.ts'
import { pathOf } from './stroke-path.ts'

/** A signature as staff see it. */
export function SignatureView({ signature }: { signature: Signature }) {
  if (signature.kind === 'typed') return `${signature.name} (typed)`
  return (
    <svg
      role="img"
      aria-label="Signature of the patient"
      viewBox={`0 0 ${gridSize} ${gridSize}`}
      preserveAspectRatio="none"
      className="h-24 w-80 max-w-full rounded-md border border-line bg-subtle"
    >
      <path
        d={signature.strokes.map(pathOf).join('')}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
