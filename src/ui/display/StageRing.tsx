import { cn } from '../cn.ts'
import { surelyFits } from '../hooks/surely-fits.ts'

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

/** Ring, name, then how long. `room`: how many px there are, where that is known. */
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

/** The ring and the gaps, in px. */
const besideTexts = 26
/** What an age leaves of the name at least; it goes where there is less. */
const leastOfName = 36
