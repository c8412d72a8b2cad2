import { cn } from '../cn.ts'

interface ProgressBarProps {
  label: string
  /** 0 to 1. */
  value: number
  /** Indeterminate progress. */
  indeterminate?: boolean
  /** Numbers at the right of the label. */
  detail?: string
}

/** A progress bar with a label. */
export function ProgressBar({ label, value, indeterminate, detail }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div>
      <p className="flex justify-between gap-4 pb-2 text-sm">
        <span className="min-w-0 truncate">{label}</span>
        {detail && <span className="flex-none text-fg-2 tabular-nums">{detail}</span>}
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(indeterminate ? {} : { 'aria-valuenow': percent })}
        className="h-1 overflow-hidden rounded-full bg-active"
      >
        <div
          className={cn('h-full rounded-full bg-accent transition-[width] duration-(--dur-2)', indeterminate && 'animate-pulse')}
          style={{ width: `${indeterminate ? 100 : percent}%` }}
        />
      </div>
    </div>
  )
}
