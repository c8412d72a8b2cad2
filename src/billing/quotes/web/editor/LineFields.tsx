import { Trash2 } from 'lucide-react'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import type { PosTaxCode } from '../../../pos/contract.ts'
import { formatTax, taxRateOf } from '../../../pos/rules.ts'
import { LineCells } from '../embed/LineCells.tsx'
import type { LineOrder } from '../../../../ui/hooks/useLineOrder.ts'
import { type LineDraft, tidyAmount } from './quote-draft.ts'

interface LineFieldsProps {
  line: LineDraft
  /** One-based, for accessible names. */
  place: number
  codes: readonly PosTaxCode[]
  /** In cents. */
  amount: number
  problems: Readonly<Record<string, string>>
  handle: ReturnType<LineOrder['handle']>
  onChange: (change: Partial<LineDraft>) => void
  onRemove: () => void
}

/** The fields of a line, its amount and the button that removes it. */
export function LineFields({ line, place, codes, amount, problems, handle, onChange, onRemove }: LineFieldsProps) {
  return (
    <>
      <LineCells
        name={`line ${place}`}
        values={line}
        isWrong={(field) => problems[`${field} ${line.key}`] !== undefined}
        handle={handle}
        onChange={onChange}
        onPriceBlur={() => line.price !== tidyAmount(line.price) && onChange({ price: tidyAmount(line.price) })}
      />
      <Select
        aria-label={`Tax code of line ${place}`}
        value={line.taxCodeId}
        onValueChange={(taxCodeId) => taxCodeId && onChange({ taxCodeId })}
        options={codes.map(({ Id, Name, SalesTaxRateList }) => {
          const rates = SalesTaxRateList.map(({ RateValue }) => RateValue)
          return { value: Id, label: formatTax({ name: Name, rate: taxRateOf({ name: Name, rates }) }) }
        })}
        className="max-lg:order-5 max-lg:col-span-3"
      />
      <p className="text-right text-sm font-medium text-fg tabular-nums max-lg:order-8 max-lg:text-left max-lg:text-md">
        {formatMoney(amount)}
      </p>
      <IconButton
        label={`Remove line ${place}`}
        icon={<Trash2 />}
        tooltipSide="left"
        data-removes
        onClick={onRemove}
        className="max-lg:order-8 max-lg:justify-self-end"
      />
    </>
  )
}
