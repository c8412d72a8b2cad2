import type { ComponentProps } from 'react'
import { cn } from '../cn.ts'
import { Input } from './Input.tsx'

interface MoneyInputProps extends Pick<ComponentProps<'input'>, 'placeholder' | 'onBlur' | 'onKeyDown' | 'onPaste' | 'className'> {
  /** As typed: '8,200.00'. */
  value: string
  onValueChange: (text: string) => void
  ref?: React.Ref<HTMLInputElement>
  'aria-label'?: string
  'aria-invalid'?: boolean
}

export function MoneyInput({ onValueChange, className, ...rest }: MoneyInputProps) {
  return (
    <Input
      {...rest}
      leading="$"
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      onChange={({ target }) => onValueChange(target.value)}
      className={cn('tabular-nums', className)}
    />
  )
}
