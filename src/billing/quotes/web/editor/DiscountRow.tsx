import { Trash2 } from 'lucide-react'
import { formatMoney } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { LineProblem } from '../embed/LineCells.tsx'
import { type DiscountDraft, tidyAmount } from './quote-draft.ts'

interface DiscountRowProps {
  discount: DiscountDraft
  /** The discount amount in cents. */
  discountCents: number
  problem: string | undefined
  onChange: (discount: DiscountDraft | null) => void
}

const units = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'Amount' },
] as const

/** The discount before tax, as a percentage or an amount. */
export function DiscountRow({ discount, discountCents, problem, onChange }: DiscountRowProps) {
  const { unit, text } = discount
  const isPercent = unit === 'percent'
  const tidy = isPercent ? text.trim().replace(/\s*%$/, '') : tidyAmount(text)
  return (
    <div
      role="group"
      aria-label="Discount"
      className="flex flex-wrap items-center gap-2 border-b border-line py-2 lg:grid lg:grid-cols-[1.25rem_minmax(0,1fr)_8rem_9.625rem_7.75rem_5.25rem_1.75rem] lg:gap-x-1.5"
    >
      <span className="max-lg:hidden" />
      <span className="text-md max-lg:w-full">Discount</span>
      <Select
        aria-label="Discount in"
        value={unit}
        onValueChange={(next) => next && onChange({ unit: next, text })}
        options={units}
        className="max-lg:w-32"
      />
      <Input
        aria-label={isPercent ? 'Discount in percent' : 'Discount in dollars'}
        aria-invalid={problem !== undefined}
        data-discount
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        placeholder={isPercent ? '0' : '0.00'}
        value={text}
        leading={isPercent ? undefined : '$'}
        trailing={isPercent ? '%' : undefined}
        onChange={({ target }) => onChange({ unit, text: target.value })}
        onBlur={() => text !== tidy && onChange({ unit, text: tidy })}
        className="min-w-0 max-lg:flex-1 [&>input]:text-right [&>input]:tabular-nums"
      />
      <span className="max-lg:hidden" />
      <output
        aria-label="Amount of the discount"
        className="text-right text-sm font-medium text-fg tabular-nums max-lg:order-last max-lg:w-full max-lg:text-md"
      >
        {formatMoney(-discountCents)}
      </output>
      <IconButton label="Remove discount" icon={<Trash2 />} tooltipSide="left" onClick={() => onChange(null)} />
      {problem && (
        <div className="col-span-full max-lg:w-full lg:col-start-2">
          <LineProblem>{problem}</LineProblem>
        </div>
      )}
    </div>
  )
}
