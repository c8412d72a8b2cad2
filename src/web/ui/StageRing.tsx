import { cn } from './cn.ts'

export interface StageShape {
  /** From 1, in the order of the funnel. */
  position: number
  /** Stages of the funnel, the won one included, lost ones not. */
  count: number
  kind: 'open' | 'won' | 'lost'
}

const colours = ['text-stage-1', 'text-stage-2', 'text-stage-3', 'text-stage-4', 'text-stage-5', 'text-stage-6']

/** 14 px: a ring that fills clockwise, dashed at the start, a check when won, a dash when lost. Its name always stands beside it. */
export function StageRing({ position, count, kind, className }: StageShape & { className?: string }) {
  if (kind === 'won') {
    return (
      <Ring className={cn('text-stage-won', className)}>
        <circle cx="7" cy="7" r="7" fill="currentColor" />
        <path
          d="M4.2 7.2 6.2 9.1 9.9 5.1"
          fill="none"
          stroke="var(--bg-surface)"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </Ring>
    )
  }
  if (kind === 'lost') {
    return (
      <Ring className={cn('text-stage-lost', className)}>
        <circle cx="7" cy="7" r="6.1" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d="M4.6 7h4.8" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </Ring>
    )
  }
  const share = count > 1 ? Math.min(1, Math.max(0, (position - 1) / (count - 1))) : 0
  return (
    <Ring className={cn(colours[Math.min(Math.max(position, 1), colours.length) - 1], className)}>
      <circle
        cx="7"
        cy="7"
        r="6.1"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeDasharray={share === 0 ? '1.75 2.083' : undefined}
      />
      {share > 0 && <path d={slice(share)} fill="currentColor" />}
    </Ring>
  )
}

function Ring({ className, children }: { className?: string; children: React.ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 14 14" className={cn('size-3.5 flex-none', className)}>
      {children}
    </svg>
  )
}

/** A slice of a disc of radius 3.6 around the ring's middle, from twelve o'clock. */
function slice(share: number): string {
  const angle = Math.min(share, 0.999) * 2 * Math.PI
  const x = 7 + 3.6 * Math.sin(angle)
  const y = 7 - 3.6 * Math.cos(angle)
  return `M7 7V3.4A3.6 3.6 0 ${share > 0.5 ? 1 : 0} 1 ${x.toFixed(3)} ${y.toFixed(3)}Z`
}

/** Ring, name, then how long. */
export function StageLabel({ name, age, className, ...shape }: StageShape & { name: string; age?: string; className?: string }) {
  return (
    <span className={cn('inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle', className)}>
      <StageRing {...shape} />
      <span className="truncate">{name}</span>
      {age && <span className="flex-none text-xs text-fg-3 tabular-nums">{age}</span>}
    </span>
  )
}
