import { ToggleGroup } from 'radix-ui'
import { Field, useFieldGroup } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { otherWays, commonWays, terminalWay, type Way } from './sale.ts'
import { useReaders } from './useReaders.ts'

const options = otherWays.map((way) => ({ value: way, label: way }))

interface PaidByProps {
  way: Way | null
  error?: string | undefined
  onChange: (way: Way | null) => void
}

/** The payment method, stored with the receipt. */
export function PaidBy({ way, error, onChange }: PaidByProps) {
  const other = otherWays.find((one) => one === way) ?? null
  const isOther = way === 'Other' || other !== null
  return (
    <Field label="Paid by" error={error}>
      <Ways value={isOther ? 'Other' : way} onChange={onChange} />
      {isOther && (
        <Select
          aria-label="Other payment method"
          value={other}
          onValueChange={(chosen) => onChange(chosen ?? 'Other')}
          options={options}
          noneLabel="Another way"
          className="mt-2"
        />
      )}
    </Field>
  )
}

function Ways({ value, onChange }: { value: Way | null; onChange: (way: Way | null) => void }) {
  const wiring = useFieldGroup()
  const hasReaders = useReaders().length > 0
  const ways: readonly Way[] = [...(hasReaders ? ([terminalWay] as const) : []), ...commonWays, 'Other']
  return (
    <ToggleGroup.Root
      {...wiring}
      type="single"
      value={value ?? ''}
      onValueChange={(next) => onChange(ways.find((way) => way === next) ?? null)}
      className="grid grid-cols-4 gap-1.5"
    >
      {ways.map((way) => (
        <ToggleGroup.Item
          key={way}
          value={way}
          className="h-11 min-w-0 first:nth-last-5:col-span-4 rounded-md border border-line-2 bg-raised text-md text-fg-2 transition-colors duration-(--dur-1) hover:bg-hover hover:text-fg data-[state=on]:border-accent data-[state=on]:bg-accent-soft data-[state=on]:font-medium data-[state=on]:text-accent-fg data-[state=on]:inset-ring data-[state=on]:inset-ring-accent max-md:text-lg md:h-9"
        >
          {way}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
