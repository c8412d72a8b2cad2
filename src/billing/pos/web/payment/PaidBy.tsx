import { ToggleGroup } from 'radix-ui'
import { Field, useFieldGroup } from '../../../../ui/forms/Field.tsx'
import { terminalWay, type Way, ways } from './sale.ts'
import { useReaders } from './useReaders.ts'

interface PaidByProps {
  way: Way | null
  error?: string | undefined
  onChange: (way: Way | null) => void
}

/** The payment method, stored with the receipt. */
export const PaidBy = ({ way, error, onChange }: PaidByProps) => (
  <Field label="Paid by" error={error}>
    <Ways value={way} onChange={onChange} />
  </Field>
)

function Ways({ value, onChange }: { value: Way | null; onChange: (way: Way | null) => void }) {
  const wiring = useFieldGroup()
  const hasReaders = useReaders().length > 0
  const choices: readonly Way[] = hasReaders ? [terminalWay, ...ways] : ways
  return (
    <ToggleGroup.Root
      {...wiring}
      type="single"
      value={value ?? ''}
      onValueChange={(next) => onChange(choices.find((way) => way === next) ?? null)}
      className="grid grid-cols-3 gap-1.5"
    >
      {choices.map((way) => (
        <ToggleGroup.Item
          key={way}
          value={way}
          className="h-11 min-w-0 first:nth-last-9:col-span-3 rounded-md border border-line-2 bg-raised text-md text-fg-2 transition-colors duration-(--dur-1) hover:bg-hover hover:text-fg data-[state=on]:border-accent data-[state=on]:bg-accent-soft data-[state=on]:font-medium data-[state=on]:text-accent-fg data-[state=on]:inset-ring data-[state=on]:inset-ring-accent max-md:text-lg md:h-9"
        >
          {way}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
