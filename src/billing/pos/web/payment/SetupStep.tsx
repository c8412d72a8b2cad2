import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'
import type { PosTaxCode } from '../../contract.ts'
import type { ChargeToPay } from '../../../payments/web/embed/payment-dialog.ts'
import { QuickBooksNotice } from './QuickBooksNotice.tsx'
import { CartList } from './cart/CartList.tsx'
import { ChargeNotice } from './cart/ChargeNotice.tsx'
import { CustomerField } from './customer/CustomerField.tsx'
import { Discount } from './cart/Discount.tsx'
import { ItemSearch } from './cart/ItemSearch.tsx'
import { firstTaxCode } from './cart/cart.ts'
import { SellPrepaid } from './cart/SellPrepaid.tsx'
import { isPrepaid, missingOf, prepaidOf } from './sale.ts'
import { focusField } from './setup-focus.ts'
import { NotLoaded, SideFields } from './SideFields.tsx'
import { TotalsBlock } from './cart/TotalsBlock.tsx'
import { TwoColumns } from './TwoColumns.tsx'
import { type CartEditing, useCartEditing } from './cart/useCartEditing.ts'
import type { Step } from './usePayment.ts'
import type { QuickBooksLists } from './useQuickBooksLists.ts'
import type { SaleEntry } from './useSaleEntry.ts'

interface SetupStepProps {
  entry: SaleEntry
  charge: ChargeToPay | null
  /** Why the last attempt created no receipt, and whether the user came back from a later step. */
  step: Extract<Step, { at: 'setup' }>
  onCancel: () => void
  onConfirm: () => void
}

/** Spec 2: all inputs of a receipt. The button names the first missing one and focuses it. */
export function SetupStep({ entry, charge, step, onCancel, onConfirm }: SetupStepProps) {
  const { sale, change, codes, quickBooks, outage, patient } = entry
  const { reasons, isBack } = step
  const phone = usePhone()
  const [isPressed, setPressed] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const reason = useRef<HTMLDivElement>(null)
  const missing = missingOf(sale, codes, entry.prepaidItems, patient.begin.contactId ? patient.begin.firstName || 'the patient' : null)
  const errors = isPressed ? missing : {}
  const isReady = quickBooks.taxCodes.data !== undefined
  const cart = useCartEditing(entry, root)

  useEffect(() => {
    if (!isBack) return
    if (reason.current) reason.current.focus()
    else button.current?.focus()
  }, [isBack])

  const payer = sale.customer?.id ?? (patient.waiting ? 'waiting' : null)
  usePayerFocus(root, payer, isReady)

  function takePayment() {
    if (!isReady) return
    const [first] = Object.keys(missing)
    if (first === undefined) return onConfirm()
    // The field with the problem may only exist now.
    flushSync(() => setPressed(true))
    focusField(root.current, first)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey)) return
    // Esc in a non-empty field resets it, and a dialog on top handles its own keys.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target)
    const isTyped = event.target instanceof HTMLInputElement && event.target.type !== 'radio' && event.target.value !== ''
    if (event.key === 'z' && isHere && !isTyped && cart.undoLast()) event.preventDefault()
    if (event.key !== 'Enter' || event.repeat || !isHere) return
    event.preventDefault()
    // A select would open.
    event.stopPropagation()
    // Blurring commits the typed value before validation.
    flushSync(() => button.current?.focus())
    button.current?.click()
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
            {charge && <ChargeNotice charge={charge} cart={sale.cart} onAdd={cart.addQuoted} />}
            {outage && <QuickBooksNotice readAt={outage.readAt} />}
            <CustomerAndCart entry={entry} cart={cart} errors={errors} isWaiting={payer === 'waiting'} />
          </>
        }
        side={
          <SideFields
            sale={sale}
            total={entry.totals.total}
            isPrepaid={entry.totals.total > 0 && isPrepaid(sale, codes)}
            quickBooks={quickBooks}
            errors={errors}
            isForCharge={charge !== null}
            change={change}
          />
        }
        totals={
          <div data-field="discount">
            <TotalsBlock
              totals={entry.totals}
              codes={codes}
              prepaid={sale.prepaid}
              discount={
                <Discount
                  text={sale.discount}
                  error={errors.discount}
                  onChange={(discount) => change({ do: 'set', change: { discount } })}
                />
              }
            />
          </div>
        }
      />
      <DialogFooter note={phone ? undefined : 'You review everything before the receipt is created.'}>
        <Button size="lg" onClick={onCancel}>
          Cancel
        </Button>
        <Button ref={button} size="lg" variant="filled" disabled={!isReady} onClick={takePayment} className="tabular-nums">
          Take Payment - {formatMoney(prepaidOf(sale, codes).moneyCents)}
        </Button>
      </DialogFooter>
    </div>
  )
}

/**
 * Focuses the item search if the customer is known, otherwise the customer field, unless the user is already in another field.
 * `payer` is the customer's id, or 'waiting' while the patient's customer is loading.
 */
function usePayerFocus(root: RefObject<HTMLElement | null>, payer: string | null, isReady: boolean) {
  const phone = usePhone()
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
      if (!at?.matches('input, [role="combobox"]') || at.closest('[data-field="customer"]')) focusField(root.current, next)
    })
    return () => clearTimeout(timer)
  }, [payer, isReady, phone, root])
}

interface CustomerAndCartProps {
  entry: SaleEntry
  cart: CartEditing
  errors: Record<string, string>
  /** Whether the patient's customer is still loading. */
  isWaiting: boolean
}

function CustomerAndCart({ entry, cart, errors, isWaiting }: CustomerAndCartProps) {
  const { sale, change, codes, totals, quickBooks, patient } = entry
  return (
    <>
      <div data-field="customer" data-autofocus={isWaiting ? '' : undefined} tabIndex={-1} className="outline-none">
        <CustomerField
          customer={sale.customer}
          onChange={(customer) => change({ do: 'set', change: { customer } })}
          patient={patient}
          onPatient={entry.choosePatient}
          error={errors.customer}
          createError={errors.create}
          onUnavailable={entry.setSearchUnavailable}
        />
      </div>
      <div data-field="items" tabIndex={-1} className="pt-5 outline-none">
        <Items quickBooks={quickBooks} cart={cart} codes={codes} />
      </div>
      <div className="pt-1 md:pt-1.5">
        <CartList cart={sale.cart} codes={codes} totals={totals} errors={errors} onChange={cart.changeCart} />
      </div>
      <p role="status" className="sr-only">
        {cart.announcement}
      </p>
    </>
  )
}

function Items({ quickBooks, cart, codes }: { quickBooks: QuickBooksLists; cart: CartEditing; codes: readonly PosTaxCode[] }) {
  const { taxCodes } = quickBooks
  if (taxCodes.data) {
    return (
      <>
        <Field label="Items">
          <ItemSearch onAdd={cart.add} />
        </Field>
        <SellPrepaid
          onAdd={cart.addPriced}
          onPackage={cart.changeCart}
          taxCodeOf={(item) => firstTaxCode(item, codes, taxCodes.data.defaultTaxCode)}
        />
      </>
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
