import type { ComponentProps } from 'react'
import { cn } from './cn.ts'
import { Input } from './Input.tsx'

interface DateInputProps extends Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'min' | 'max' | 'trailing'> {
  /** A calendar day, 'yyyy-MM-dd', or '' when none is chosen. */
  value: string
  onValueChange: (value: string) => void
  /** First and last day that may be picked, 'yyyy-MM-dd'. */
  min?: string
  max?: string
}

/** The browser's own picker: it speaks the user's language, works by keyboard and is the one a phone's owner knows. */
export function DateInput({ value, onValueChange, className, ...rest }: DateInputProps) {
  return (
    <Input
      {...rest}
      type="date"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
      className={cn('tabular-nums', value === '' && 'text-fg-3', className)}
    />
  )
}

interface TimeInputProps extends Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'leading' | 'trailing'> {
  /** 'HH:mm', or '' when none is chosen. */
  value: string
  onValueChange: (value: string) => void
}

export function TimeInput({ value, onValueChange, className, ...rest }: TimeInputProps) {
  return (
    <Input
      {...rest}
      type="time"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
      className={cn('tabular-nums', value === '' && 'text-fg-3', className)}
    />
  )
}
