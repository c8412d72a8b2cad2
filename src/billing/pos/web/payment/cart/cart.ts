import { formatDay } from '../../../../../ui/format.ts'
import type { PosItem, PosTaxCode } from '../../../contract.ts'
import { type CartLine, cartLimits, needsExemptReason, taxRateOf } from '../../../rules.ts'
import { priceOfText } from './typed-amounts.ts'

/** The sessions of a package, and its last day, if it has one. */
export interface SoldPackage {
  itemId: string
  itemName: string
  sessions: number
  expiresOn: string | null
}

/** A line of the cart; an item has at most one. */
export interface CartItem {
  itemId: string
  name: string
  description: string | null
  /** In cents. */
  unitPrice: number
  quantity: number
  taxCodeId: string
  /** The exemption reason; required by some tax codes. */
  exemptReason: string
  /** For a package: the sessions that it has. */
  package?: SoldPackage
  /** Increases along the cart; gives a restored line its place. */
  place: number
}

export type CartAction =
  | { do: 'add'; item: PosItem; taxCodeId: string }
  /** Adds a package, or replaces the one in the cart. */
  | { do: 'package'; item: PosItem; taxCodeId: string; unitPrice: number; sold: SoldPackage }
  | { do: 'quantity'; itemId: string; quantity: number }
  | { do: 'change'; itemId: string; change: Partial<Pick<CartItem, 'unitPrice' | 'taxCodeId' | 'exemptReason'>> }
  | { do: 'remove'; itemId: string }
  | { do: 'restore'; line: CartItem }

/** Spec 5 and 9: adding an item again raises its quantity by 1; a quantity of 0 or less removes the line. */
export function changeCart(cart: readonly CartItem[], action: CartAction): readonly CartItem[] {
  switch (action.do) {
    case 'add': {
      const there = cart.find(({ itemId }) => itemId === action.item.qbItemId)
      if (there) return changeCart(cart, { do: 'quantity', itemId: there.itemId, quantity: there.quantity + 1 })
      return [...cart, { ...lineOf(action.item, action.taxCodeId), place: (cart.at(-1)?.place ?? 0) + 1 }]
    }
    case 'package': {
      const { item, taxCodeId, unitPrice, sold } = action
      const others = changeCart(cart, { do: 'remove', itemId: item.qbItemId })
      const description = `${sold.sessions} sessions of ${sold.itemName}${sold.expiresOn === null ? '' : `, until ${formatDay(sold.expiresOn)}`}`
      const place = (others.at(-1)?.place ?? 0) + 1
      return [...others, { ...lineOf(item, taxCodeId), unitPrice, description, package: sold, place }]
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

/** Restores a removed line to its place; if its item was added again since, that line gets its quantity. */
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

/** The default tax code of a new line: the item's, else the practice's, else the first. Null: there are none. */
export function firstTaxCode(item: PosItem, codes: readonly PosTaxCode[], practiceCode: string | null): string | null {
  const wanted = [item.taxCodeRef, practiceCode].find((id) => codes.some((code) => code.Id === id))
  return wanted ?? codes[0]?.Id ?? null
}

/** The cart as input for the totals. */
export function linesOf(cart: readonly CartItem[], codes: readonly PosTaxCode[]): CartLine[] {
  const byId = new Map(codes.map((code) => [code.Id, code]))
  return cart.map(({ unitPrice, quantity, taxCodeId }) => {
    const code = byId.get(taxCodeId)
    const rates = (code?.SalesTaxRateList ?? []).map(({ RateValue }) => RateValue)
    return { unitPrice, quantity, taxCodeId, rate: code ? taxRateOf({ name: code.Name, rates }) : 0 }
  })
}

/** Whether the line's tax code requires an exemption reason. */
export const isExempt = ({ taxCodeId }: CartItem, codes: readonly PosTaxCode[]): boolean =>
  needsExemptReason(codes.find(({ Id }) => Id === taxCodeId)?.Name ?? '')
