import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import { DateInput } from '../controls/DateInput.tsx'
import { Select, type SelectOption } from '../controls/Select.tsx'

/** A toolbar control: touch size on a phone, dense with a mouse. */
const control = 'h-11 text-sm md:h-(--control) md:text-sm'

interface ToolbarProps {
  /** Name of the list: 'Receipts'. */
  label: string
  /** Scrolls sideways instead of wrapping. */
  narrow?: boolean
  children: ReactNode
}

/** Filters and sorting of the list below. */
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
  /** The option without a filter: 'All methods'. */
  any?: string
  /** Its width. */
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
  /** Calendar days, 'yyyy-MM-dd', inclusive. */
  from: string | undefined
  to: string | undefined
  /** `day` is undefined after clearing the field. */
  onChange: (side: 'from' | 'to', day: string | undefined) => void
  /** Width of each. */
  className?: string
}

/** First and last day. */
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
