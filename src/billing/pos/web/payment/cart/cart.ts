import type { PosItem, PosTaxCode } from '../../../contract.ts'
import { type CartLine, cartLimits, needsExemptReason, taxRateOf } from '../../../rules.ts'
import { priceOfText } from './typed-amounts.ts'

/** A line of the cart; an item has at most one. */
export interface CartItem {
  itemId: string
  name: string
  description: string | null
  /** In cents. */
  unitPrice: number
  quantity: number
  taxCodeId: string
  /** Why it is not taxed; asked for where the tax code needs one. */
  exemptReason: string
  /** Grows along the cart: where a line that was removed belongs. */
  place: number
}

export type CartAction =
  | { do: 'add'; item: PosItem; taxCodeId: string }
  | { do: 'quantity'; itemId: string; quantity: number }
  | { do: 'change'; itemId: string; change: Partial<Pick<CartItem, 'unitPrice' | 'taxCodeId' | 'exemptReason'>> }
  | { do: 'remove'; itemId: string }
  | { do: 'restore'; line: CartItem }

/** Spec 5 and 9: the same item again raises its quantity by 1; a quantity of 0 or less removes the line. */
export function changeCart(cart: readonly CartItem[], action: CartAction): readonly CartItem[] {
  switch (action.do) {
    case 'add': {
      const there = cart.find(({ itemId }) => itemId === action.item.qbItemId)
      if (there) return changeCart(cart, { do: 'quantity', itemId: there.itemId, quantity: there.quantity + 1 })
      return [...cart, { ...lineOf(action.item, action.taxCodeId), place: (cart.at(-1)?.place ?? 0) + 1 }]
    }
    case 'quantity': {
      const quantity = Math.min(Math.trunc(action.quantity), cartLimits.quantity)
      if (quantity < 1) return changeCart(cart, { do: 'remove', itemId: action.itemId })
      return cart.map((line) => (line.itemId === action.itemId ? { ...line, quantity } : line))
    }
    case 'change':
      return cart.map((line) => (line.itemId === action.itemId ? { ...line, ...action.change } : line))
    case 'remove':
      return cart.filter(({ itemId }) => itemId !== action.itemId)
    case 'restore':
      return restored(cart, action.line)
  }
}

/** A line that was removed stands where it was; if its item was put in again in the meantime, that line takes its quantity. */
function restored(cart: readonly CartItem[], line: CartItem): readonly CartItem[] {
  const { itemId, place } = line
  const there = cart.find((other) => other.itemId === itemId)
  if (there) return changeCart(cart, { do: 'quantity', itemId, quantity: there.quantity + line.quantity })
  const at = cart.findIndex((other) => other.place >= place)
  return cart.toSpliced(at < 0 ? cart.length : at, 0, line)
}

const lineOf = ({ qbItemId, name, description, unitPrice }: PosItem, taxCodeId: string): Omit<CartItem, 'place'> => ({
  itemId: qbItemId,
  name,
  description,
  unitPrice: priceOfText(String(unitPrice)),
  quantity: 1,
  taxCodeId,
  exemptReason: '',
})

/** The tax code that a new line begins with: the item's own, else the practice's, else the first. Null: there is none. */
export function firstTaxCode(item: PosItem, codes: readonly PosTaxCode[], usual: string | null): string | null {
  const wanted = [item.taxCodeRef, usual].find((id) => codes.some((code) => code.Id === id))
  return wanted ?? codes[0]?.Id ?? null
}

/** The cart as the totals are worked out from it. */
export function linesOf(cart: readonly CartItem[], codes: readonly PosTaxCode[]): CartLine[] {
  const byId = new Map(codes.map((code) => [code.Id, code]))
  return cart.map(({ unitPrice, quantity, taxCodeId }) => {
    const code = byId.get(taxCodeId)
    const rates = (code?.SalesTaxRateList ?? []).map(({ RateValue }) => RateValue)
    return { unitPrice, quantity, taxCodeId, rate: code ? taxRateOf({ name: code.Name, rates }) : 0 }
  })
}

/** Whether the line's tax code asks why it is not taxed. */
export const isExempt = ({ taxCodeId }: CartItem, codes: readonly PosTaxCode[]): boolean =>
  needsExemptReason(codes.find(({ Id }) => Id === taxCodeId)?.Name ?? '')
