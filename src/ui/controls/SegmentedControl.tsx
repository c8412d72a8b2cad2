import { ToggleGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '../cn.ts'
import { useFieldGroup } from '../forms/Field.tsx'

interface SegmentedControlProps<V extends string> {
  value: V
  onValueChange: (value: V) => void
  options: readonly { value: V; label: string; icon?: ReactNode }[]
  'aria-label'?: string
  className?: string
}

/** One of a few options, always one selected: List | Board, Reached | Voicemail | No answer. */
export function SegmentedControl<V extends string>({ value, onValueChange, options, className, ...rest }: SegmentedControlProps<V>) {
  const wiring = useFieldGroup()
  return (
    <ToggleGroup.Root
      {...wiring}
      {...rest}
      type="single"
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
      className={cn('inline-flex h-9 w-fit flex-none items-center rounded-md bg-hover p-0.5 md:h-(--control)', className)}
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className={cn(
            'relative inline-flex h-full items-center gap-1.5 rounded-sm px-2.5 text-sm font-medium whitespace-nowrap text-fg-2 touch-target transition-colors duration-(--dur-1)',
            'hover:text-fg data-[state=on]:bg-raised data-[state=on]:text-fg data-[state=on]:shadow-sm dark:data-[state=on]:bg-active',
          )}
        >
          {option.icon}
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
