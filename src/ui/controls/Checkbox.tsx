import { Check, Minus } from 'lucide-react'
import { type ComponentProps, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { cn } from '../cn.ts'
import { useFieldControl } from '../forms/Field.tsx'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange'> {
  checked: boolean | 'indeterminate'
  /** `withShift`: the Shift key was held, for range selection. */
  onCheckedChange: (checked: boolean, withShift: boolean) => void
  /** For patients. */
  large?: boolean
}

const mark = 'size-3! stroke-3!'

/** Needs an `aria-label` on its own. */
export function Checkbox({ checked, onCheckedChange, large = false, className, ref, ...rest }: CheckboxProps) {
  const wiring = useFieldControl(rest)
  const frame = useRef<HTMLSpanElement>(null)
  const isMixed = checked === 'indeterminate'
  useLayoutEffect(() => {
    const input = frame.current?.querySelector('input')
    if (input) input.indeterminate = isMixed
  })
  return (
    <span ref={frame} className={cn('grid size-4 flex-none *:col-start-1 *:row-start-1', large && 'size-6', className)}>
      <input
        {...rest}
        {...wiring}
        ref={ref}
        type="checkbox"
        checked={checked === true}
        onChange={({ target, nativeEvent }) => onCheckedChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        className={cn(
          // Positioned only where touch needs it: a list has dozens.
          'size-4 appearance-none rounded-xs border border-line-control bg-raised touch-target max-md:relative pointer-coarse:relative transition-colors duration-(--dur-1)',
          'hover:border-fg-3 checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent',
          'aria-invalid:border-danger disabled:border-line-2 disabled:bg-subtle',
          large && 'size-6 rounded-sm',
        )}
      />
      {checked !== false && (
        <span aria-hidden="true" className="pointer-events-none relative flex items-center justify-center text-on-accent">
          {isMixed ? <Minus className={cn(mark, large && 'size-4!')} /> : <Check className={cn(mark, large && 'size-4!')} />}
        </span>
      )}
    </span>
  )
}

/** A checkbox with a clickable label. */
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
