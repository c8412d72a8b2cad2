import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePhone } from '../../../../../ui/hooks/useMedia.ts'
import type { PosItem } from '../../../contract.ts'
import type { Sale, SaleAction } from '../sale.ts'
import { focusField, focusLine } from '../setup-focus.ts'
import type { SaleEntry } from '../useSaleEntry.ts'
import { type CartItem, firstTaxCode } from './cart.ts'
import { useRemovals } from './useRemovals.ts'

export type CartEditing = ReturnType<typeof useCartEditing>

/** Changes to the cart, each with its announcement and the focus that follows; removals can be undone. */
export function useCartEditing({ sale, change, codes, quickBooks }: SaleEntry, root: RefObject<HTMLElement | null>) {
  const phone = usePhone()
  const [announcement, setAnnouncement] = useState('')
  const removals = useRemovals(putBack)

  function add(item: PosItem) {
    const taxCodeId = firstTaxCode(item, codes, quickBooks.taxCodes.data?.defaultTaxCode ?? null)
    if (taxCodeId === null) return
    change({ do: 'add', item, taxCodeId })
    const there = sale.cart.find(({ itemId }) => itemId === item.qbItemId)
    setAnnouncement(`${item.name} in cart, quantity ${(there?.quantity ?? 0) + 1}`)
  }
  /** Adds an item whose price is typed: the amount of a gift card. */
  function addPriced(item: PosItem) {
    flushSync(() => add(item))
    focusField(root.current, `price ${item.qbItemId}`)
  }
  function addQuoted(quoted: Pick<Sale, 'cart' | 'discount'>) {
    flushSync(() => change({ do: 'fill', ...quoted }))
    setAnnouncement(`${quoted.cart.length} quoted ${quoted.cart.length === 1 ? 'item' : 'items'} in cart`)
    // Its button is gone: focus the first line.
    focusLine(root.current, quoted.cart[0]!.itemId)
  }
  function changeCart(action: SaleAction) {
    const removes = action.do === 'remove' || (action.do === 'quantity' && action.quantity < 1)
    if (!removes) return change(action)
    const at = sale.cart.findIndex(({ itemId }) => itemId === action.itemId)
    const next = sale.cart[at + 1]
    flushSync(() => change(action))
    setAnnouncement('')
    removals.say(sale.cart[at]!)
    // Its button is gone: focus the next line, otherwise the item search.
    if (next) focusLine(root.current, next.itemId)
    else if (!phone) focusField(root.current, 'items')
    else root.current?.querySelector<HTMLElement>('[data-field="items"]')?.focus()
  }
  function putBack(line: CartItem) {
    flushSync(() => change({ do: 'restore', line }))
    setAnnouncement(`${line.name} is back in the cart`)
    focusLine(root.current, line.itemId)
  }

  return {
    /** Announcement for a live region. */
    announcement,
    add,
    addPriced,
    addQuoted,
    changeCart,
    /** Restores the last removed line, or false. */
    undoLast: () => removals.undoLast(),
  }
}
