import { type ComponentProps, useState } from 'react'
import { Input } from '../../../../ui/controls/Input.tsx'

interface LimitInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: number | null
  /** Null: no limit. */
  onValue: (value: number | null) => void
}

/** A number or nothing; keeps what is typed while it is on its way to a number. */
export function LimitInput({ value, onValue, ...rest }: LimitInputProps) {
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  const text = numberIn(typed) === value ? typed : value === null ? '' : String(value)
  return (
    <Input
      {...rest}
      inputMode="decimal"
      maxLength={12}
      value={text}
      onChange={({ target }) => {
        setTyped(target.value)
        onValue(numberIn(target.value))
      }}
    />
  )
}

function numberIn(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null
}
