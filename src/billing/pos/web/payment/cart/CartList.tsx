import { CircleAlert } from 'lucide-react'
import type { PosTaxCode } from '../../../contract.ts'
import { cn } from '../../../../../ui/cn.ts'
import type { Totals } from '../../../rules.ts'
import { type CartAction, type CartItem, isExempt } from './cart.ts'
import { CartLine, lineGrid } from './CartLine.tsx'

interface CartListProps {
  cart: readonly CartItem[]
  codes: readonly PosTaxCode[]
  totals: Totals
  /** By field; see `missingOf`. */
  errors: Record<string, string>
  onChange: (action: CartAction) => void
}

/** The cart: a row per item; a block on a phone. */
export function CartList({ cart, codes, totals, errors, onChange }: CartListProps) {
  if (cart.length === 0) {
    return (
      <p className={cn('py-4 text-sm md:py-6', errors.items ? 'flex gap-1.5 text-danger-fg' : 'text-fg-3')}>
        {errors.items && <CircleAlert aria-hidden="true" className="mt-0.5" />}
        <span role={errors.items ? 'alert' : undefined}>No items in cart</span>
      </p>
    )
  }
  return (
    <>
      <div
        aria-hidden="true"
        className={cn(lineGrid, 'h-(--row-head) items-center border-b border-line text-xs font-medium text-fg-3 max-md:hidden')}
      >
        <span>Item</span>
        <span>Quantity</span>
        <span className="text-right">Unit price</span>
        <span className="pl-1.5">Tax</span>
        <span className="text-right">Amount</span>
      </div>
      {errors.items && (
        <p role="alert" className="flex gap-1.5 pt-2 text-sm text-danger-fg">
          <CircleAlert aria-hidden="true" className="mt-0.5" />
          {errors.items}
        </p>
      )}
      <ul aria-label="Cart">
        {cart.map((line, index) => (
          <CartLine
            key={line.itemId}
            line={line}
            codes={codes}
            amount={totals.lines[index]!.amount}
            isExempt={isExempt(line, codes)}
            priceError={errors[`price ${line.itemId}`]}
            reasonError={errors[`reason ${line.itemId}`]}
            onChange={onChange}
          />
        ))}
      </ul>
    </>
  )
}
