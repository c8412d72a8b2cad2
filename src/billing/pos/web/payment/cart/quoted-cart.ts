import type { CartItem } from './cart.ts'

/** A quote line to sell; it needs a QuickBooks item. */
export interface QuotedLine {
  words: string
  quantity: number
  unitPriceCents: number
  taxCodeId: string
  exemptReason: string | null
  item: { id: string; name: string } | null
}

/**
 * The cart of a quote's lines, and the lines it can't contain: those without an item, and those with an item that another line sells under
 * another tax code. Lines with the same item become one cart line, with their sum as its price if their prices differ.
 */
export function cartOfQuote(lines: readonly QuotedLine[]): { cart: CartItem[]; left: string[] } {
  const cart: CartItem[] = []
  const left: string[] = []
  for (const { words, quantity, unitPriceCents: unitPrice, taxCodeId, exemptReason, item } of lines) {
    const at = cart.findIndex(({ itemId }) => itemId === item?.id)
    const there = cart[at]
    if (!item || (there && there.taxCodeId !== taxCodeId)) left.push(words)
    else if (!there) {
      const line = { itemId: item.id, name: item.name, description: words, unitPrice, quantity, taxCodeId }
      cart.push({ ...line, exemptReason: exemptReason ?? '', place: cart.length + 1 })
    } else {
      const sum = there.unitPrice * there.quantity + unitPrice * quantity
      const price = there.unitPrice === unitPrice ? { unitPrice, quantity: there.quantity + quantity } : { unitPrice: sum, quantity: 1 }
      cart[at] = { ...there, ...price, description: `${there.description}; ${words}` }
    }
  }
  return { cart, left }
}
