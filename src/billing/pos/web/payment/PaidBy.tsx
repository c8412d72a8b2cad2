import { useId } from 'react'
import { Field, useFieldGroup } from '../../../../ui/forms/Field.tsx'
import { terminalWay, type Way, ways } from './sale.ts'
import { useReaders } from './useReaders.ts'

interface PaidByProps {
  way: Way | null
  error?: string | undefined
  onChange: (way: Way) => void
}

/** The payment method, stored with the receipt. */
export const PaidBy = ({ way, error, onChange }: PaidByProps) => (
  <Field label="Paid by" error={error}>
    <Ways value={way} onChange={onChange} />
  </Field>
)

/** Native radio buttons that fill their tiles, so that arrow keys choose among them. */
function Ways({ value, onChange }: { value: Way | null; onChange: (way: Way) => void }) {
  const name = useId()
  const wiring = useFieldGroup()
  const hasReaders = useReaders().length > 0
  const choices: readonly Way[] = hasReaders ? [terminalWay, ...ways] : ways
  return (
    <div {...wiring} role="radiogroup" className="grid grid-cols-3 gap-1.5">
      {choices.map((way) => (
        <label
          key={way}
          className="relative flex h-11 min-w-0 items-center justify-center first:nth-last-9:col-span-3 rounded-md border border-line-2 bg-raised text-md text-fg-2 transition-colors duration-(--dur-1) hover:bg-hover hover:text-fg has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-fg has-checked:inset-ring has-checked:inset-ring-accent max-md:text-lg md:h-9"
        >
          <input
            type="radio"
            name={name}
            checked={way === value}
            onChange={() => onChange(way)}
            className="absolute inset-0 appearance-none rounded-md"
          />
          {way}
        </label>
      ))}
    </div>
  )
}
