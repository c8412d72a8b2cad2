import { cn } from '../../cn.ts'
import { surelyFits } from '../../hooks/text-fits.ts'

export interface StageShape {
  /** From 1, in funnel order. */
  position: number
  /** Number of stages, including the won one, without lost ones. */
  count: number
  kind: 'open' | 'won' | 'lost'
}

const colours = ['text-stage-1', 'text-stage-2', 'text-stage-3', 'text-stage-4', 'text-stage-5', 'text-stage-6']

/** 14 px ring: fills clockwise, dashed at the start, check when won, dash when lost. Always next to its name. */
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
  const colour = colours[Math.min(Math.max(position, 1), colours.length) - 1]
  return (
    <span
      aria-hidden="true"
      className={cn('stage-ring size-3.5 flex-none', share === 0 && 'border-dashed', colour, className)}
      style={{ '--share': `${share * 100}%` } as React.CSSProperties}
    />
  )
}

function Ring({ className, children }: { className?: string; children: React.ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 14 14" className={cn('size-3.5 flex-none', className)}>
      {children}
    </svg>
  )
}

/** Ring, name and age. `room`: available px, if known. */
export function StageLabel({
  name,
  age,
  className,
  room,
  ...shape
}: StageShape & { name: string; age?: string; className?: string; room?: number }) {
  const shownAge = age !== undefined && (room === undefined || surelyFits(age, room - besideTexts - leastOfName)) ? age : ''
  const isTruncated = room === undefined || !surelyFits(name + shownAge, room - besideTexts)
  return (
    <span className={cn('inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle', className)}>
      <StageRing {...shape} />
      <span className={isTruncated ? 'truncate' : ''}>{name}</span>
      {shownAge && <span className="flex-none text-xs text-fg-3 tabular-nums">{shownAge}</span>}
    </span>
  )
}

/** Ring and gaps, in px. */
const besideTexts = 26
/** Minimum width of the name next to the age; the age is hidden below it. */
const leastOfName = 36
