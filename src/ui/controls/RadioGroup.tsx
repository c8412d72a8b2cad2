import { useId, type ReactNode } from 'react'
import { cn } from '../cn.ts'
import { useFieldGroup } from '../forms/Field.tsx'

interface RadioGroupProps<V extends string> {
  value: V | null
  onValueChange: (value: V) => void
  options: readonly { value: V; label: ReactNode; hint?: ReactNode; disabled?: boolean }[]
  'aria-label'?: string
  /** Initial focus of the dialog: the selected option, otherwise the first. */
  'data-autofocus'?: boolean
  className?: string
}

/** Native radio buttons: their arrow keys work even while the page is busy. */
export function RadioGroup<V extends string>({
  value,
  onValueChange,
  options,
  className,
  'data-autofocus': isFirst,
  ...rest
}: RadioGroupProps<V>) {
  const name = useId()
  const wiring = useFieldGroup()
  const begin = options.some((option) => option.value === value) ? value : options[0]?.value
  return (
    <div role="radiogroup" {...wiring} {...rest} className={cn('flex flex-col gap-3', className)}>
      {options.map((option) => (
        <label key={option.value} className="relative flex gap-2.5 text-sm text-fg select-none touch-target">
          <span className="flex h-5 items-center">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              data-autofocus={(isFirst && option.value === begin) || undefined}
              onChange={() => onValueChange(option.value)}
              className="size-4 flex-none appearance-none rounded-full border border-line-control bg-raised checked:border-5 checked:border-accent"
            />
          </span>
          <span>
            {option.label}
            {option.hint && <span className="block text-xs text-fg-3">{option.hint}</span>}
          </span>
        </label>
      ))}
    </div>
  )
}
