import { useEffect, useRef, type KeyboardEvent } from 'react'
import { cn } from '../cn.ts'
import { formatTimeOfDay } from '../format.ts'

interface TimeListProps {
  /** 'HH:mm', or '' for none. */
  value: string
  onChoose: (time: string) => void
  onClose: () => void
}

/** Every quarter of an hour. */
const times = Array.from(
  { length: 96 },
  (_, index) => `${String(Math.floor(index / 4)).padStart(2, '0')}:${String((index % 4) * 15).padStart(2, '0')}`,
)

/** A list of times. Opens at the selected one, otherwise at nine. */
export default function TimeList({ value, onChoose }: TimeListProps) {
  const list = useRef<HTMLDivElement>(null)
  const begin = times.findLast((time) => time <= (value || '09:00'))!
  useEffect(() => {
    list.current?.querySelector('[data-autofocus]')?.scrollIntoView({ block: 'center' })
  }, [])

  function walk(event: KeyboardEvent) {
    const options = [...list.current!.querySelectorAll<HTMLElement>('[role="option"]')]
    const at = options.findIndex((option) => option === document.activeElement)
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, PageUp: at - 4, PageDown: at + 4, Home: 0, End: options.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = options[Math.max(0, Math.min(options.length - 1, to))]!
    next.scrollIntoView({ block: 'nearest' })
    next.focus({ preventScroll: true })
  }

  return (
    <div ref={list} role="listbox" aria-label="Times" tabIndex={-1} onKeyDown={walk} className="max-h-64 w-32 overflow-y-auto">
      {times.map((time) => (
        <button
          key={time}
          type="button"
          role="option"
          aria-selected={time === value}
          tabIndex={time === begin ? 0 : -1}
          data-autofocus={time === begin || undefined}
          onClick={() => onChoose(time)}
          className={cn(
            'flex h-10 w-full items-center rounded-sm px-2 tabular-nums outline-offset-[-2px] hover:bg-hover focus:bg-hover md:h-8',
            time === value && 'font-semibold text-accent-fg',
          )}
        >
          {formatTimeOfDay(time)}
        </button>
      ))}
    </div>
  )
}
