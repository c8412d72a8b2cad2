import { cva } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'

const bubble = cva('relative flex size-7 flex-none items-center justify-center rounded-full [&_svg]:size-3.5', {
  variants: {
    tone: {
      neutral: 'bg-hover text-fg-2',
      accent: 'bg-accent-soft text-accent-fg',
      info: 'bg-info-soft text-info-fg',
      success: 'bg-success-soft text-success-fg',
      warning: 'bg-warning-soft text-warning-fg',
      danger: 'bg-danger-soft text-danger-fg',
      rose: 'bg-tint-5-soft text-tint-5',
    },
  },
  defaultVariants: { tone: 'neutral' },
})

export type TimelineTone = 'neutral' | 'accent' | 'info' | 'success' | 'warning' | 'danger' | 'rose'

/** One day of a timeline with its heading ('Today', 'Tuesday, Nov 17'). */
export function TimelineDay({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section aria-label={heading} className="pt-5">
      <h3 className="pb-2 pl-10 text-xs font-medium tracking-normal text-fg-3">{heading}</h3>
      <ol>{children}</ol>
    </section>
  )
}

interface TimelineItemProps {
  icon: ReactNode
  tone?: TimelineTone
  /** One sentence; put names into <strong>. */
  summary: ReactNode
  /** Short, on the right; `exactTime` is its title. */
  time: ReactNode
  exactTime?: string
  actions?: ReactNode
  children?: ReactNode
}

/** An icon on a vertical line, one sentence, its time, and the message. */
export function TimelineItem({ icon, tone, summary, time, exactTime, actions, children }: TimelineItemProps) {
  return (
    <li className="group/item flex gap-3">
      <div className="flex flex-col items-center">
        <span aria-hidden="true" className={bubble({ tone })}>
          {icon}
        </span>
        <span aria-hidden="true" className="my-0.5 min-h-3 w-px flex-1 bg-line" />
      </div>
      <div className="min-w-0 flex-1 pb-4">
        <div className="flex min-h-7 items-start gap-3 pt-1">
          <p className="min-w-0 flex-1 text-sm wrap-anywhere text-fg-2 [&_strong]:font-semibold [&_strong]:text-fg">{summary}</p>
          {actions}
          <time title={exactTime} className="flex-none text-xs leading-5 text-fg-3 tabular-nums">
            {time}
          </time>
        </div>
        {children && <div className="pt-1">{children}</div>}
      </div>
    </li>
  )
}

/** A message: at most 60 characters wide; `quoted` draws a reply line. */
export function TimelineText({ quoted, children }: { quoted?: boolean; children: ReactNode }) {
  return (
    <div className={cn('max-w-[60ch] text-md break-words whitespace-pre-wrap text-fg', quoted && 'border-l-2 border-line-2 pl-3')}>
      {children}
    </div>
  )
}
