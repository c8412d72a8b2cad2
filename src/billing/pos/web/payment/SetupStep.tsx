import { type Dispatch, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'
import type { PosItem, PosTaxCode } from '../../contract.ts'
import type { ChargeToPay } from '../../../payments/web/embed/payment-dialog.ts'
import { QuickBooksNotice } from './QuickBooksNotice.tsx'
import { type CartItem, firstTaxCode } from './cart/cart.ts'
import { CartList } from './cart/CartList.tsx'
import { ChargeNotice } from './cart/ChargeNotice.tsx'
import { CustomerField } from './customer/CustomerField.tsx'
import { Discount } from './cart/Discount.tsx'
import { ItemSearch } from './cart/ItemSearch.tsx'
import { missingOf, type Sale, type SaleAction, totalsOfSale } from './sale.ts'
import { NotLoaded, SideFields } from './SideFields.tsx'
import { TotalsBlock } from './cart/TotalsBlock.tsx'
import { TwoColumns } from './TwoColumns.tsx'
import type { QuickBooksLists } from './useQuickBooksLists.ts'
import type { PatientCustomer } from './customer/usePatientCustomer.ts'
import { useRemovals } from './cart/useRemovals.ts'

interface SetupStepProps {
  sale: Sale
  charge: ChargeToPay | null
  change: Dispatch<SaleAction>
  quickBooks: QuickBooksLists
  codes: readonly PosTaxCode[]
  /** Why the last attempt created no receipt. */
  reasons: readonly string[]
  /** Whether the user came back from a later step. */
  isBack: boolean
  /** When the QuickBooks lists were last read; set while QuickBooks is down. */
  outage: { readAt: string | null } | null
  patient: PatientCustomer
  /** Called with whether QuickBooks could be searched for customers. */
  onSearchUnavailable: (isUnavailable: boolean) => void
  onCancel: () => void
  onConfirm: () => void
}

/** Spec 2: all inputs of a receipt. The button names the first missing one and focuses it. */
export function SetupStep({
  sale,
  charge,
  change,
  quickBooks,
  codes,
  reasons,
  isBack,
  outage,
  patient,
  onSearchUnavailable,
  onCancel,
  onConfirm,
}: SetupStepProps) {
  const phone = usePhone()
  const [isPressed, setPressed] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const reason = useRef<HTMLDivElement>(null)
  const totals = totalsOfSale(sale, codes)
  const errors = isPressed ? missingOf(sale, codes) : {}
  const isReady = quickBooks.taxCodes.data !== undefined
  const removals = useRemovals(putBack)

  useEffect(() => {
    if (!isBack) return
    if (reason.current) reason.current.focus()
    else button.current?.focus()
  }, [isBack])

  // Focuses the item search if the customer is known, otherwise the customer field, unless the user is already in another field.
  const payer = sale.customer?.id ?? (patient.waiting ? 'waiting' : null)
  const known = useRef(payer)
  useEffect(() => {
    if (payer === known.current || payer === 'waiting' || (payer !== null && !isReady)) return
    const wasWaiting = known.current === 'waiting'
    known.current = payer
    if (phone || (payer === null && !wasWaiting)) return
    const next = payer === null ? 'customer' : 'items'
    // A dialog that added the customer restores the focus first.
    const timer = setTimeout(() => {
      const at = document.activeElement
      if (!at?.matches('input, [role="combobox"]') || at.closest('[data-field="customer"]')) focusIn(root.current, next)
    })
    return () => clearTimeout(timer)
  }, [payer, isReady, phone])

  function takePayment() {
    if (!isReady) return
    const [first] = Object.keys(missingOf(sale, codes))
    if (first === undefined) return onConfirm()
    // The field with the problem may only exist now.
    flushSync(() => setPressed(true))
    focusIn(root.current, first)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey)) return
    // Esc in a non-empty field resets it, and a dialog on top handles its own keys.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target)
    const isTyped = event.target instanceof HTMLInputElement && event.target.value !== ''
    if (event.key === 'z' && isHere && !isTyped && removals.undoLast()) event.preventDefault()
    if (event.key !== 'Enter' || event.repeat || !isHere) return
    event.preventDefault()
    // A select would open.
    event.stopPropagation()
    // Blurring commits the typed value before validation.
    flushSync(() => button.current?.focus())
    button.current?.click()
  }
  function add(item: PosItem) {
    const taxCodeId = firstTaxCode(item, codes, quickBooks.taxCodes.data?.defaultTaxCode ?? null)
    if (taxCodeId === null) return
    change({ do: 'add', item, taxCodeId })
    const there = sale.cart.find(({ itemId }) => itemId === item.qbItemId)
    setAnnouncement(`${item.name} in cart, quantity ${(there?.quantity ?? 0) + 1}`)
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
    else if (!phone) focusIn(root.current, 'items')
    else root.current?.querySelector<HTMLElement>('[data-field="items"]')?.focus()
  }
  function putBack(line: CartItem) {
    flushSync(() => change({ do: 'restore', line }))
    setAnnouncement(`${line.name} is back in the cart`)
    focusLine(root.current, line.itemId)
  }

  return (
    // Captured before the fields inside receive the keys.
    <div ref={root} role="presentation" onKeyDownCapture={onKeyDown} className="flex min-h-0 flex-1 flex-col">
      <TwoColumns
        main={
          <>
            {reasons.length > 0 && (
              <div ref={reason} tabIndex={-1} className="mb-5 rounded-md outline-none">
                <Alert tone="danger" title="No sales receipt was created.">
                  {reasons.join(' ')}
                </Alert>
              </div>
            )}
            {charge && <ChargeNotice charge={charge} cart={sale.cart} onAdd={addQuoted} />}
            {outage && <QuickBooksNotice readAt={outage.readAt} />}
            <div data-field="customer" data-autofocus={payer === 'waiting' ? '' : undefined} tabIndex={-1} className="outline-none">
              <CustomerField
                customer={sale.customer}
                onChange={(customer) => change({ do: 'set', change: { customer } })}
                patient={patient}
                error={errors.customer}
                onUnavailable={onSearchUnavailable}
              />
            </div>
            <div data-field="items" tabIndex={-1} className="pt-5 outline-none">
              <Items quickBooks={quickBooks} onAdd={add} />
            </div>
            <div className="pt-1 md:pt-1.5">
              <CartList cart={sale.cart} codes={codes} totals={totals} errors={errors} onChange={changeCart} />
            </div>
            <p role="status" className="sr-only">
              {announcement}
            </p>
          </>
        }
        side={
          <>
            <SideFields sale={sale} quickBooks={quickBooks} errors={errors} isForCharge={charge !== null} change={change} />
            <div className="mt-4 border-t border-line-2 pt-3" data-field="discount">
              <TotalsBlock
                totals={totals}
                codes={codes}
                discount={
                  <Discount
                    text={sale.discount}
                    error={errors.discount}
                    onChange={(discount) => change({ do: 'set', change: { discount } })}
                  />
                }
              />
            </div>
          </>
        }
      />
      <DialogFooter note={phone ? undefined : 'You review everything before the receipt is created.'}>
        <Button size="lg" onClick={onCancel}>
          Cancel
        </Button>
        <Button ref={button} size="lg" variant="filled" disabled={!isReady} onClick={takePayment} className="tabular-nums">
          Take Payment - {formatMoney(totals.total)}
        </Button>
      </DialogFooter>
    </div>
  )
}

function Items({ quickBooks, onAdd }: { quickBooks: QuickBooksLists; onAdd: (item: PosItem) => void }) {
  const { taxCodes } = quickBooks
  if (taxCodes.data) {
    return (
      <Field label="Items">
        <ItemSearch onAdd={onAdd} />
      </Field>
    )
  }
  return (
    <Field label="Items">
      {taxCodes.error ? (
        <NotLoaded what="tax codes" error={taxCodes.error} onRetry={() => void taxCodes.refetch()} />
      ) : (
        <span role="status" aria-label="Loading" className="flex h-11 items-center rounded-md border border-line px-2.5 md:h-9">
          <Skeleton className="w-1/3" />
        </span>
      )}
    </Field>
  )
}

function focusIn(root: HTMLElement | null, field: string) {
  root?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"] :is(input, button[role="combobox"], [role="radio"])`)?.focus()
}

function focusLine(root: HTMLElement | null, itemId: string) {
  root?.querySelector<HTMLElement>(`[data-line="${CSS.escape(itemId)}"] [data-removes]`)?.focus()
}
