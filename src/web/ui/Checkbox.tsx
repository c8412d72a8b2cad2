import { Check, Minus } from 'lucide-react'
import { Checkbox as Primitive } from 'radix-ui'
import { useId, type ReactNode } from 'react'
import { cn } from './cn.ts'
import { useFieldControl } from './Field.tsx'

interface CheckboxProps {
  checked: boolean | 'indeterminate'
  onCheckedChange: (checked: boolean) => void
  /** Needed when no text stands beside it. */
  'aria-label'?: string
  disabled?: boolean
  tabIndex?: number
  id?: string
  className?: string
  onClick?: React.MouseEventHandler<HTMLButtonElement>
  onBlur?: () => void
  ref?: React.Ref<HTMLButtonElement>
}

/** Alone it needs a name: `aria-label`. */
export function Checkbox({ checked, onCheckedChange, className, ...rest }: CheckboxProps) {
  const wiring = useFieldControl(rest)
  return (
    <Primitive.Root
      {...rest}
      {...wiring}
      checked={checked}
      onCheckedChange={(next) => onCheckedChange(next === true)}
      className={cn(
        'group relative flex size-4 flex-none items-center justify-center rounded-xs border border-line-control bg-raised touch-target transition-colors duration-(--dur-1)',
        'hover:border-fg-3 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent',
        'aria-invalid:border-danger disabled:border-line-2 disabled:bg-subtle',
        className,
      )}
    >
      <Primitive.Indicator className="text-on-accent">
        {checked === 'indeterminate' ? <Minus className="size-3! stroke-3!" /> : <Check className="size-3! stroke-3!" />}
      </Primitive.Indicator>
    </Primitive.Root>
  )
}

/** A checkbox with its words, which can be clicked too. */
export function CheckboxLine({ children, hint, className, ...rest }: CheckboxProps & { children: ReactNode; hint?: ReactNode }) {
  const own = useId()
  const id = rest.id ?? own
  return (
    <div className={cn('flex gap-2.5', className)}>
      <span className="flex h-5 items-center">
        <Checkbox {...rest} id={id} />
      </span>
      <label htmlFor={id} className="text-sm text-fg select-none">
        {children}
        {hint && <span className="block text-xs text-fg-3">{hint}</span>}
      </label>
    </div>
  )
}
