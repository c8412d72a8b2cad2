import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { cn } from '../../../../ui/cn.ts'

interface DayHeadProps {
  day: string
  isToday: boolean
  /** Its number alone. */
  short?: boolean
}

/** What stands in the head of a day, which leads to it. */
export function DayHead({ day, isToday, short }: DayHeadProps) {
  const date = parseISO(day)
  return (
    <span
      className={cn(
        'flex h-6 min-w-6 items-center truncate rounded-xs px-1 text-xs font-medium tabular-nums group-hover/day:text-fg',
        isToday ? 'text-accent-fg' : 'text-fg-3',
        short && 'justify-center',
        short && isToday && 'bg-accent text-on-accent group-hover/day:text-on-accent',
      )}
    >
      {short ? format(date, date.getDate() === 1 ? 'MMM d' : 'd') : `${format(date, 'EEE d')}${isToday ? ', today' : ''}`}
    </span>
  )
}
