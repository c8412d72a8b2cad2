import type { ReactNode } from 'react'
import { formatMoney } from '../../../../../ui/format.ts'
import type { PosTaxCode } from '../../../contract.ts'
import type { Totals } from '../../../rules.ts'
import { type PrepaidChoice, spreadPrepaid } from '../prepaid.ts'
import { rateToText } from './typed-amounts.ts'

interface TotalsBlockProps {
  totals: Totals
  codes: readonly PosTaxCode[]
  /** Gift cards and credit, which pay first. */
  prepaid?: readonly PrepaidChoice[]
  /** The discount: an input, or its value. */
  discount: ReactNode
}

/** Spec 9: subtotal, discount, tax by rate with its base, and total. */
export function TotalsBlock({ totals, codes, prepaid = [], discount }: TotalsBlockProps) {
  const { paid, moneyCents } = spreadPrepaid(prepaid, totals.total)
  const nameOf = (id: string) => codes.find(({ Id }) => Id === id)?.Name ?? id
  return (
    <dl className="text-md">
      <Row label="Subtotal" cents={totals.subtotal} />
      <Row label={discount} cents={-totals.discount} />
      {totals.taxes.map(({ taxCodeId, rate, base, tax }) => (
        <Row
          key={taxCodeId}
          label={
            <>
              <span className="text-fg">{titleOf(nameOf(taxCodeId), rate)}</span> on {formatMoney(base)}
            </>
          }
          cents={tax}
        />
      ))}
      <div className="mt-3 flex items-center justify-between gap-3 border-t border-line-2 pt-3">
        <dt className="font-medium text-fg">Total</dt>
        <dd className="text-2xl font-semibold text-fg tabular-nums" data-total>
          {formatMoney(totals.total)}
        </dd>
      </div>
      {prepaid.map(({ label }, index) => (
        <Row key={label} label={label} cents={-paid[index]!} />
      ))}
      {prepaid.length > 0 && (
        <div className="flex min-h-7 items-center justify-between gap-3">
          <dt className="font-medium text-fg">Left to pay</dt>
          <dd className="text-md font-semibold text-fg tabular-nums">{formatMoney(moneyCents)}</dd>
        </div>
      )}
    </dl>
  )
}

/** 'HST ON 13%'. The rate is not repeated if the name includes it. */
const titleOf = (name: string, rate: number): string => (rate === 0 || name.includes('%') ? name : `${name} ${rateToText(rate)}`)

const Row = ({ label, cents }: { label: ReactNode; cents: number }) => (
  <div className="flex min-h-7 items-center justify-between gap-3">
    <dt className="min-w-0 text-fg-2">{label}</dt>
    <dd className="flex-none text-fg tabular-nums">{formatMoney(cents === 0 ? 0 : cents)}</dd>
  </div>
)
