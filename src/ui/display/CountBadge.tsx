import { cn } from '../cn.ts'

/** Spec 9: the badges of Email and Inbox stop at '25+'. */
const cap = 25

export function CountBadge({
  count,
  label,
  className,
}: {
  count: number /** What is counted, for a screen reader: "unread messages". */
  label: string
  className?: string
}) {
  if (count <= 0) return null
  return (
    <span
      className={cn(
        'inline-flex h-4.5 min-w-4.5 flex-none items-center justify-center rounded-full bg-danger px-1 text-2xs font-semibold text-on-solid tabular-nums',
        className,
      )}
    >
      {count >= cap ? `${cap}+` : count}
      <span className="sr-only"> {label}</span>
    </span>
  )
}
