import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'
import { formatCount } from '../format.ts'
import { useFieldControl } from '../forms/Field.tsx'

interface TextareaProps extends Omit<ComponentProps<'textarea'>, 'maxLength'> {
  /** Shows a counter near the limit, red at it, which cannot be exceeded by typing. */
  maxLength?: number
}

/** Of the limit, from which the counter shows. */
const counterFrom = 0.8

/** Grows with its text. */
export function Textarea({ className, maxLength, value, ...rest }: TextareaProps) {
  const wiring = useFieldControl(rest)
  const length = typeof value === 'string' ? value.length : 0
  return (
    <div className="flex min-w-0 flex-col">
      <textarea
        rows={3}
        {...rest}
        {...wiring}
        value={value}
        maxLength={maxLength}
        className={cn(
          'field-edge field-sizing-content max-h-80 min-h-20 w-full resize-none rounded-md px-2.5 py-2 text-lg md:text-md',
          className,
        )}
      />
      {maxLength !== undefined && length >= maxLength * counterFrom && (
        <span className={cn('self-end pt-1 text-xs tabular-nums', length >= maxLength ? 'font-medium text-danger-fg' : 'text-fg-3')}>
          {formatCount(length)} of {formatCount(maxLength)} characters
        </span>
      )}
    </div>
  )
}
