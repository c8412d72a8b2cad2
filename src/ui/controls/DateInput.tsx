import { CalendarDays, Clock } from 'lucide-react'
import { useEffect, useImperativeHandle, useRef, useState, type ComponentProps, type ReactNode, type RefObject } from 'react'
import { useClock } from '../client/session.ts'
import { cn } from '../cn.ts'
import { useFieldProblem } from '../forms/Field.tsx'
import { formatTimeOfDay, today } from '../format.ts'
import { IconButton } from './IconButton.tsx'
import { Input } from './Input.tsx'
import { lazyDialog } from '../overlays/lazy-dialog.tsx'
import { Popover } from '../overlays/Popover.tsx'
import { formatTypedDay, parseDay, parseTime } from './typed-time.ts'
import type { Loadable } from '../hooks/useLoaded.ts'

const Calendar = lazyDialog(
  () => import('./Calendar.tsx'),
  ({ onClose }) => onClose(),
)
const TimeList = lazyDialog(
  () => import('./TimeList.tsx'),
  ({ onClose }) => onClose(),
)

type OwnInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'min' | 'max' | 'step' | 'trailing' | 'ref'>

interface DateInputProps extends OwnInputProps {
  /** 'yyyy-MM-dd', or '' for none. */
  value: string
  onValueChange: (value: string) => void
  /** First and last selectable day, 'yyyy-MM-dd'. */
  min?: string
  max?: string
  ref?: React.Ref<HTMLInputElement>
}

/** A date in the practice's format, typed freely or picked from a calendar. */
export function DateInput({ value, onValueChange, min, max, ...rest }: DateInputProps) {
  const now = today(useClock())
  return (
    <TypedInput
      {...rest}
      value={value}
      onValueChange={onValueChange}
      format={{
        shown: value && formatTypedDay(value, now),
        parse: (text, before) => parseDay(text, { today: now, ...(before && { near: before }), ...(min && { min }), ...(max && { max }) }),
        problem: 'Enter a date, like Nov 26',
      }}
      panel={{
        label: 'Calendar',
        openLabel: 'Open calendar',
        icon: <CalendarDays />,
        code: Calendar.code,
        render: (choose, onClose) => <Calendar value={value} min={min} max={max} today={now} onChoose={choose} onClose={onClose} />,
      }}
    />
  )
}

interface TimeInputProps extends OwnInputProps {
  /** 'HH:mm', or '' for none. */
  value: string
  onValueChange: (value: string) => void
  ref?: React.Ref<HTMLInputElement>
}

/** A time in the practice's format, typed freely or picked from a list. */
export function TimeInput({ value, onValueChange, ...rest }: TimeInputProps) {
  return (
    <TypedInput
      {...rest}
      value={value}
      onValueChange={onValueChange}
      format={{ shown: value && formatTimeOfDay(value), parse: parseTime, problem: 'Enter a time, like 2:30 p.m.' }}
      panel={{
        label: 'Hours of the day',
        openLabel: 'Pick from a list',
        icon: <Clock />,
        code: TimeList.code,
        className: 'p-1',
        render: (choose, onClose) => <TimeList value={value} onChoose={choose} onClose={onClose} />,
      }}
    />
  )
}

/** How a value is shown and typed. */
interface TypedFormat {
  /** The formatted value. */
  shown: string
  /** Null for invalid text. `before` is the value before typing started. */
  parse: (text: string, before: string) => string | null
  /** Error for invalid text. */
  problem: string
}

/** The panel to pick a value from, and the button that opens it. */
interface PickerPanel {
  label: string
  openLabel: string
  icon: ReactNode
  code: Loadable<object>
  className?: string
  render: (choose: (value: string) => void, onClose: () => void) => ReactNode
}

interface TypedInputProps extends OwnInputProps {
  value: string
  onValueChange: (value: string) => void
  ref?: React.Ref<HTMLInputElement> | undefined
  format: TypedFormat
  panel: PickerPanel
}

interface Draft {
  text: string
  before: string
  value: string
}

function TypedInput({ value, onValueChange, ref, format, panel, className, onBlur, ...input }: TypedInputProps) {
  const { shown, parse, problem } = format
  const own = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => own.current!)
  const [open, setOpen] = useState(false)
  const [draft, setDraft] = useState<Draft | null>(null)
  const [isLeft, setLeft] = useState(false)
  // An external value replaces typed text.
  const typed = draft?.value === value ? draft : null
  const isWrong = typed !== null && typed.text.trim() !== '' && value === ''
  const shownProblem = isWrong && isLeft ? problem : undefined
  const hasField = useFieldProblem(shownProblem)
  useRefusedSubmit(own, isWrong, () => setLeft(true))

  function type(text: string) {
    const before = typed?.before ?? value
    const next = text.trim() === '' ? '' : (parse(text, before) ?? '')
    setDraft({ text, before, value: next })
    setLeft(false)
    if (next !== value) onValueChange(next)
  }
  function choose(next: string) {
    setDraft(null)
    setOpen(false)
    onValueChange(next)
  }

  return (
    <Input
      placeholder="Type or pick"
      autoComplete="off"
      spellCheck={false}
      aria-haspopup="dialog"
      // Only when invalid: otherwise a Field's own error marks it.
      {...(shownProblem && { 'aria-invalid': true })}
      title={shownProblem && !hasField ? problem : undefined}
      {...input}
      ref={own}
      value={typed?.text ?? shown}
      onChange={({ target }) => type(target.value)}
      onFocus={({ target }) => target.select()}
      onBlur={(event) => {
        setLeft(true)
        if (!isWrong) setDraft(null)
        onBlur?.(event)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setOpen(true)
      }}
      className={cn('tabular-nums', className)}
      trailing={
        <Popover
          label={panel.label}
          control={{ open, onOpenChange: setOpen, returnTo: own }}
          align="end"
          requires={panel.code}
          className={panel.className}
          trigger={
            <IconButton
              label={panel.openLabel}
              size="sm"
              icon={panel.icon}
              tabIndex={-1}
              disabled={input.disabled}
              className="-mr-1 max-md:size-10"
            />
          }
        >
          {panel.render(choose, () => setOpen(false))}
        </Popover>
      }
    />
  )
}

/** Blocks the form while a field has invalid text, which would otherwise be missing from the request. */
function useRefusedSubmit(input: RefObject<HTMLInputElement | null>, isWrong: boolean, onRefuse: () => void) {
  const refuse = useRef(onRefuse)
  useEffect(() => {
    refuse.current = onRefuse
  })
  useEffect(() => {
    const form = input.current?.form
    if (!form || !isWrong) return
    const stop = (event: Event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      refuse.current()
      input.current?.focus()
    }
    form.addEventListener('submit', stop, { capture: true })
    return () => form.removeEventListener('submit', stop, { capture: true })
  }, [input, isWrong])
}
