import { RadioGroup as Primitive } from 'radix-ui'
import { useId, type ReactNode } from 'react'
import { cn } from './cn.ts'
import { useFieldGroup } from './Field.tsx'

interface RadioGroupProps<V extends string> {
  value: V | null
  onValueChange: (value: V) => void
  options: readonly { value: V; label: ReactNode; hint?: ReactNode; disabled?: boolean }[]
  'aria-label'?: string
  className?: string
}

export function RadioGroup<V extends string>({ value, onValueChange, options, className, ...rest }: RadioGroupProps<V>) {
  const id = useId()
  const wiring = useFieldGroup()
  return (
    <Primitive.Root
      {...wiring}
      {...rest}
      value={value ?? ''}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
      className={cn('flex flex-col gap-3', className)}
    >
      {options.map((option) => (
        <div key={option.value} className="flex gap-2.5">
          <span className="flex h-5 items-center">
            <Primitive.Item
              id={`${id}${option.value}`}
              value={option.value}
              disabled={option.disabled}
              className="relative flex size-4 items-center justify-center rounded-full border border-line-control bg-raised touch-target data-[state=checked]:border-accent"
            >
              <Primitive.Indicator className="size-2 rounded-full bg-accent" />
            </Primitive.Item>
          </span>
          <label htmlFor={`${id}${option.value}`} className="text-sm text-fg select-none">
            {option.label}
            {option.hint && <span className="block text-xs text-fg-3">{option.hint}</span>}
          </label>
        </div>
      ))}
    </Primitive.Root>
  )
}
