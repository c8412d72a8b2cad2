import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import { DateInput } from '../controls/DateInput.tsx'
import { Select, type SelectOption } from '../controls/Select.tsx'

/** A control of a toolbar: high enough for a finger on a phone, dense beside a mouse. */
const control = 'h-11 text-sm md:h-(--control) md:text-sm'

interface ToolbarProps {
  /** Of which list: 'Receipts'. */
  label: string
  /** It does not fit on one line, and is moved sideways. */
  narrow?: boolean
  children: ReactNode
}

/** What narrows and orders the list below it. */
export function Toolbar({ label, narrow = false, children }: ToolbarProps) {
  return (
    <div
      role="search"
      aria-label={label}
      className={cn(
        'no-scrollbar flex min-h-13 flex-none items-center gap-2 border-b border-line px-4 py-2 md:px-6',
        narrow ? 'overflow-x-auto' : 'flex-wrap',
      )}
    >
      {children}
    </div>
  )
}

interface ToolbarSelectProps<V extends string> {
  label: string
  value: V | undefined
  onChange: (value: V | undefined) => void
  options: readonly SelectOption<V>[]
  /** The entry that narrows nothing: 'All methods'. */
  any?: string
  /** How wide it is. */
  className?: string
}

/** One value, or none. */
export function ToolbarSelect<V extends string>({ label, value, onChange, options, any, className }: ToolbarSelectProps<V>) {
  return (
    <div className={cn('flex-none', className)}>
      <Select
        aria-label={label}
        value={value ?? null}
        onValueChange={(chosen) => onChange(chosen ?? undefined)}
        options={options}
        noneLabel={any}
        className={control}
      />
    </div>
  )
}

interface ToolbarDaysProps {
  /** Calendar days, 'yyyy-MM-dd', both included. */
  from: string | undefined
  to: string | undefined
  /** `day` is undefined where the field was emptied. */
  onChange: (side: 'from' | 'to', day: string | undefined) => void
  /** How wide each is. */
  className?: string
}

/** The first and the last day. */
export function ToolbarDays({ from, to, onChange, className = 'w-44 flex-none' }: ToolbarDaysProps) {
  return (
    <>
      <DateInput
        aria-label="From"
        leading="From"
        value={from ?? ''}
        max={to}
        onValueChange={(day) => onChange('from', day || undefined)}
        className={cn(control, className)}
      />
      <DateInput
        aria-label="To"
        leading="To"
        value={to ?? ''}
        min={from}
        onValueChange={(day) => onChange('to', day || undefined)}
        className={cn(control, className)}
      />
    </>
  )
}
