import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'
import { useFieldControl } from '../forms/Field.tsx'

interface TextareaProps extends Omit<ComponentProps<'textarea'>, 'maxLength'> {
  /** Shows a counter, red at the limit, which cannot be exceeded by typing. */
  maxLength?: number
}

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
      {maxLength !== undefined && (
        <span className={cn('self-end pt-1 text-xs tabular-nums', length >= maxLength ? 'font-medium text-danger-fg' : 'text-fg-3')}>
          {length} / {maxLength}
        </span>
      )}
    </div>
  )
}
