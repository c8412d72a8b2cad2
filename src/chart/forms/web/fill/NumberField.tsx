import { useState } from 'react'
import { formatDecimal, type Language } from '../../../../shared/translations.ts'

interface NumberFieldProps {
  native: React.ComponentProps<'input'>
  unit: string | null
  value: unknown
  onChange: (value: unknown) => void
  language: Language
  className: string
}

/** What is typed, as a number: '70,5' and '70.5' are the same. What is no number stays a text, which the rules refuse. */
function typedNumber(text: string): number | string {
  const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.')
  return /^[-−]?\d+(\.\d+)?$/.test(plain) ? Number(plain.replace('−', '-')) : text
}

/** A field that keeps what is typed while the answer is its number. */
export function NumberField({ native, unit, value, onChange, language, className }: NumberFieldProps) {
  const shown = typeof value === 'number' ? formatDecimal(value, language) : typeof value === 'string' ? value : ''
  const [typed, setTyped] = useState(shown)
  // The answer has changed from outside, such as by a save on another device.
  const text = typedNumber(typed) === value || (value === undefined && typed.trim() === '') ? typed : shown
  return (
    <div className="flex items-center gap-3">
      <input
        {...native}
        inputMode="decimal"
        maxLength={20}
        value={text}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(typedNumber(target.value))
        }}
        className={`${className} max-w-50`}
      />
      {unit !== null && <span className="text-portal text-fg-2">{unit}</span>}
    </div>
  )
}
