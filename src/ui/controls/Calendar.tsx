import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { daysLater, monthsLater } from '../../shared/zoned-time.ts'
import { Button } from './Button.tsx'
import { cn } from '../cn.ts'
import { IconButton } from './IconButton.tsx'

interface CalendarProps {
  /** 'yyyy-MM-dd', or '' for none. */
  value: string
  min?: string | undefined
  max?: string | undefined
  today: string
  onChoose: (day: string) => void
  onClose: () => void
}

/** Days since the preceding Monday. */
const sinceMonday = (day: string): number => (parseISO(day).getDay() + 6) % 7
const weekdays = Array.from({ length: 7 }, (_, index) => format(new Date(2001, 0, 1 + index), 'EEEE'))

/** The day a key moves to, following ARIA's date picker pattern. */
function keyTarget({ key, shiftKey }: KeyboardEvent, day: string): string | null {
  switch (key) {
    case 'ArrowLeft':
      return daysLater(day, -1)
    case 'ArrowRight':
      return daysLater(day, 1)
    case 'ArrowUp':
      return daysLater(day, -7)
    case 'ArrowDown':
      return daysLater(day, 7)
    case 'Home':
      return daysLater(day, -sinceMonday(day))
    case 'End':
      return daysLater(day, 6 - sinceMonday(day))
    case 'PageUp':
      return monthsLater(day, shiftKey ? -12 : -1)
    case 'PageDown':
      return monthsLater(day, shiftKey ? 12 : 1)
    default:
      return null
  }
}

/** A month calendar for picking a day. */
export default function Calendar({ value, min, max, today, onChoose }: CalendarProps) {
  const id = useId()
  const grid = useRef<HTMLTableElement>(null)
  const [shown, setShown] = useState(value || (min && min > today ? min : today))
  // Focus follows the keys that move between days; the buttons above keep theirs.
  const [walked, setWalked] = useState(0)
  useEffect(() => {
    if (walked > 0) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [walked])
  const first = `${shown.slice(0, 8)}01`
  const begin = daysLater(first, -sinceMonday(first))
  // Always six weeks, so the height does not change between months.
  const weeks = Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_day, index) => daysLater(begin, week * 7 + index)))
  const isOpen = (day: string) => (!min || day >= min) && (!max || day <= max)

  function walk(event: KeyboardEvent) {
    const next = keyTarget(event, shown)
    if (next === null) return
    event.preventDefault()
    setShown(next)
    setWalked(walked + 1)
  }

  return (
    <div className="w-71 md:w-64">
      <div className="flex items-center pb-1">
        <IconButton label="Previous month" size="sm" icon={<ChevronLeft />} onClick={() => setShown(monthsLater(shown, -1))} />
        <h2 id={id} aria-live="polite" className="flex-1 text-center text-sm font-semibold">
          {format(parseISO(shown), 'MMMM yyyy')}
        </h2>
        <IconButton label="Next month" size="sm" icon={<ChevronRight />} onClick={() => setShown(monthsLater(shown, 1))} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a date grid is a table whose cells take keys (ARIA APG) */}
      <table ref={grid} role="grid" aria-labelledby={id} className="w-full table-fixed border-collapse" onKeyDown={walk}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col" abbr={name} className="h-7 text-xs font-medium text-fg-3">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days[0]}>
              {days.map((day) => (
                <td key={day} aria-selected={day === value} className="p-0 text-center">
                  <button
                    type="button"
                    tabIndex={day === shown ? 0 : -1}
                    data-autofocus={day === shown || undefined}
                    aria-label={format(parseISO(day), 'EEEE, MMMM d, yyyy')}
                    aria-current={day === today ? 'date' : undefined}
                    aria-disabled={!isOpen(day) || undefined}
                    onClick={() => isOpen(day) && onChoose(day)}
                    className={cn(
                      'mx-auto flex size-10 items-center justify-center rounded-md tabular-nums outline-offset-[-2px] md:size-8',
                      day.slice(0, 7) === shown.slice(0, 7) ? 'text-fg' : 'text-fg-3',
                      day === today && 'font-semibold text-accent-fg',
                      isOpen(day) ? 'hover:bg-hover' : 'cursor-default text-fg-disabled',
                      day === value && 'bg-accent text-on-accent hover:bg-accent',
                    )}
                  >
                    {parseISO(day).getDate()}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isOpen(today) && (
        <div className="flex pt-1">
          <Button size="sm" variant="quiet" onClick={() => onChoose(today)}>
            Today
          </Button>
        </div>
      )}
    </div>
  )
}
