import { type Dispatch, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Alert } from '../../../../web/ui/Alert.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { DialogFooter } from '../../../../web/ui/Dialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { formatMoney } from '../../../../web/ui/format.ts'
import { Input } from '../../../../web/ui/Input.tsx'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { usePhone } from '../../../../web/ui/useMedia.ts'
import type { PosItem, PosTaxCode } from '../../contract.ts'
import { BooksNotice } from './BooksNotice.tsx'
import { firstTaxCode } from './cart.ts'
import { CartList } from './CartList.tsx'
import { CustomerField } from './CustomerField.tsx'
import { ItemSearch } from './ItemSearch.tsx'
import { missingOf, type Sale, type SaleAction, totalsOfSale } from './sale.ts'
import { NotLoaded, SideFields } from './SideFields.tsx'
import { TotalsBlock } from './TotalsBlock.tsx'
import { TwoColumns } from './TwoColumns.tsx'
import { discountOfText, discountToText } from './typed-amounts.ts'
import type { Books } from './useBooks.ts'
import type { PatientCustomer } from './usePatientCustomer.ts'

interface SetupStepProps {
  sale: Sale
  change: Dispatch<SaleAction>
  books: Books
  codes: readonly PosTaxCode[]
  /** Why the last try made no receipt. */
  reasons: readonly string[]
  /** Came back from a later step. */
  isBack: boolean
  /** Since when the books are known here, where QuickBooks is away. */
  away: { readAt: string | null } | null
  patient: PatientCustomer
  /** Whether QuickBooks could be asked for customers. */
  onSearchAway: (isAway: boolean) => void
  onCancel: () => void
  onConfirm: () => void
}

/** Spec 2: everything a receipt is made of. The button says what is missing, and leads there. */
export function SetupStep({
  sale,
  change,
  books,
  codes,
  reasons,
  isBack,
  away,
  patient,
  onSearchAway,
  onCancel,
  onConfirm,
}: SetupStepProps) {
  const phone = usePhone()
  const [isPressed, setPressed] = useState(false)
  const [said, setSaid] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const reason = useRef<HTMLDivElement>(null)
  const totals = totalsOfSale(sale, codes)
  const errors = isPressed ? missingOf(sale, codes) : {}
  const isReady = books.taxCodes.data !== undefined

  useEffect(() => {
    if (!isBack) return
    if (reason.current) reason.current.focus()
    else button.current?.focus()
  }, [isBack])

  // Who pays is known: what they pay for comes next, unless somebody is at another field already.
  const customerId = sale.customer?.id ?? null
  const known = useRef(customerId)
  useEffect(() => {
    if (customerId === known.current) return
    known.current = customerId
    if (customerId === null || phone) return
    // A dialog in which the customer was added gives the focus back first.
    const timer = setTimeout(() => {
      const at = document.activeElement
      if (!at?.matches('input, [role="combobox"]') || at.closest('[data-field="customer"]')) focusIn(root.current, 'items')
    })
    return () => clearTimeout(timer)
  }, [customerId, phone])

  function takePayment() {
    if (!isReady) return
    const [first] = Object.keys(missingOf(sale, codes))
    if (first === undefined) return onConfirm()
    setPressed(true)
    // What is wrong may only now have a field.
    requestAnimationFrame(() => focusIn(root.current, first))
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.repeat || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    // A field that is left commits what is typed in it, before it is judged.
    flushSync(() => button.current?.focus())
    button.current?.click()
  }
  function add(item: PosItem) {
    const taxCodeId = firstTaxCode(item, codes, books.taxCodes.data?.defaultTaxCode ?? null)
    if (taxCodeId === null) return
    change({ do: 'add', item, taxCodeId })
    const there = sale.cart.find(({ itemId }) => itemId === item.qbItemId)
    setSaid(`${item.name} in cart, quantity ${(there?.quantity ?? 0) + 1}`)
  }
  function changeCart(action: SaleAction) {
    const removes = action.do === 'remove' || (action.do === 'quantity' && action.quantity < 1)
    change(action)
    if (!removes) return
    // Its button is gone; the cart goes on where one looks for the next item.
    setSaid('Removed')
    if (!phone) focusIn(root.current, 'items')
    else root.current?.querySelector<HTMLElement>('[data-field="items"]')?.focus()
  }

  return (
    // Keys are heard from the fields inside.
    <div ref={root} role="presentation" onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col">
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
            {away && <BooksNotice readAt={away.readAt} />}
            <div data-field="customer">
              <CustomerField
                customer={sale.customer}
                onChange={(customer) => change({ do: 'set', change: { customer } })}
                patient={patient}
                error={errors.customer}
                onAway={onSearchAway}
              />
            </div>
            <div data-field="items" tabIndex={-1} className="pt-5 outline-none">
              <Items books={books} onAdd={add} />
            </div>
            <div className="pt-1 md:pt-1.5">
              <CartList cart={sale.cart} codes={codes} totals={totals} errors={errors} onChange={changeCart} />
            </div>
            <p role="status" className="sr-only">
              {said}
            </p>
          </>
        }
        side={
          <>
            <SideFields sale={sale} books={books} errors={errors} change={change} />
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

function Items({ books, onAdd }: { books: Books; onAdd: (item: PosItem) => void }) {
  const { taxCodes } = books
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
        <NotLoaded what="Tax codes" error={taxCodes.error} onRetry={() => void taxCodes.refetch()} />
      ) : (
        <span role="status" aria-label="Loading" className="flex h-11 items-center rounded-md border border-line px-2.5 md:h-9">
          <Skeleton className="w-1/3" />
        </span>
      )}
    </Field>
  )
}

/** Spec 5: 0 to 100 percent in steps of 0.01. */
function Discount({ text, error, onChange }: { text: string; error: string | undefined; onChange: (text: string) => void }) {
  const hundredths = discountOfText(text)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <label htmlFor="payment-discount">Discount</label>
      <Input
        id="payment-discount"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => hundredths !== null && text !== '' && onChange(hundredths === 0 ? '' : discountToText(hundredths))}
        aria-invalid={error !== undefined || hundredths === null}
        aria-describedby={hundredths === null ? 'payment-discount-error' : undefined}
        className="w-18 border-line-2 px-2 text-right tabular-nums md:h-7 md:w-18 md:text-md"
      />
      <span>%</span>
      {hundredths === null && (
        <span id="payment-discount-error" role="alert" className="basis-full pb-1 text-sm text-danger-fg">
          {error ?? 'The discount must be between 0 and 100 percent, in steps of 0.01'}
        </span>
      )}
    </span>
  )
}

function focusIn(root: HTMLElement | null, field: string) {
  root?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"] :is(input, button[role="combobox"])`)?.focus()
}
