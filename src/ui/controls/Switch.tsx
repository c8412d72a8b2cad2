import { Switch as Primitive } from 'radix-ui'
import { useId, type ReactNode } from 'react'
import { cn } from '../cn.ts'

interface SwitchProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  children: ReactNode
  hint?: ReactNode
  disabled?: boolean
  className?: string
  ref?: React.Ref<HTMLButtonElement>
}

/** For settings that take effect immediately. Label at the left, switch at the right. */
export function Switch({ checked, onCheckedChange, children, hint, disabled, className, ref }: SwitchProps) {
  const id = useId()
  return (
    <div className={cn('flex items-start justify-between gap-4', className)}>
      <label htmlFor={id} className="text-sm text-fg select-none">
        {children}
        {hint && <span className="block text-xs text-fg-3">{hint}</span>}
      </label>
      <Primitive.Root
        ref={ref}
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        className={cn(
          'relative h-5 w-8.5 flex-none rounded-full border border-line-control bg-active touch-target transition-colors duration-(--dur-1)',
          'data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:border-line-2 disabled:bg-subtle',
        )}
      >
        <Primitive.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-line-control transition-transform duration-(--dur-1) ease-out data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-accent" />
      </Primitive.Root>
    </div>
  )
}
