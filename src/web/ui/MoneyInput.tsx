import { Input } from './Input.tsx'

interface MoneyInputProps {
  /** As typed: '8,200.00'. */
  value: string
  onValueChange: (text: string) => void
  ref?: React.Ref<HTMLInputElement>
  'aria-label'?: string
  'aria-invalid'?: boolean
}

export function MoneyInput({ onValueChange, ...rest }: MoneyInputProps) {
  return (
    <Input
      {...rest}
      leading="$"
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      onChange={({ target }) => onValueChange(target.value)}
      className="tabular-nums"
    />
  )
}
