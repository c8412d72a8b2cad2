import type { ReactNode } from 'react'
import { formatMoney } from '../../../ui/format.ts'
import { formatTax } from '../../pos/rules.ts'
import { type Discount, discountLabel } from '../rules.ts'

interface TotalsListProps extends Discount {
  subtotalCents: number
  taxes: readonly { taxCodeId: string; name: string; rate: number; base: number; tax: number }[]
  totalCents: number
}

/** Subtotal, discount, tax by code with its base, and total. */
export const TotalsList = ({ subtotalCents, discountPercent, discountCents, taxes, totalCents }: TotalsListProps) => (
  <dl className="text-md">
    <Row label="Subtotal" cents={subtotalCents} />
    {discountCents > 0 && <Row label={discountLabel({ discountPercent })} cents={-discountCents} />}
    {taxes.map((tax) => (
      <Row
        key={tax.taxCodeId}
        label={
          <>
            <span className="text-fg">{formatTax(tax)}</span> on {formatMoney(tax.base)}
          </>
        }
        cents={tax.tax}
      />
    ))}
    <div className="mt-2 flex items-center justify-between gap-3 border-t border-line-2 pt-2.5">
      <dt className="font-medium text-fg">Total</dt>
      <dd className="text-2xl font-semibold text-fg tabular-nums">{formatMoney(totalCents)}</dd>
    </div>
  </dl>
)

const Row = ({ label, cents }: { label: ReactNode; cents: number }) => (
  <div className="flex min-h-7 items-center justify-between gap-3">
    <dt className="min-w-0 text-fg-2">{label}</dt>
    <dd className="flex-none text-fg tabular-nums">{formatMoney(cents)}</dd>
  </div>
)
