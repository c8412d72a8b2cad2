import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import type { PosTaxCode } from '../../contract.ts'
import { isExempt } from './cart/cart.ts'
import { ChosenCustomer } from './customer/CustomerField.tsx'
import { isPrepaid, prepaidOf, type Sale, terminalWay, totalsOfSale } from './sale.ts'
import { TotalsBlock } from './cart/TotalsBlock.tsx'
import { TwoColumns } from './TwoColumns.tsx'
import { discountOfText, discountToText } from './cart/typed-amounts.ts'
import type { QuickBooksLists } from './useQuickBooksLists.ts'

interface ConfirmStepProps {
  sale: Sale
  codes: readonly PosTaxCode[]
  quickBooks: QuickBooksLists
  busy: boolean
  onBack: () => void
  onCreate: () => void
}

/** Spec 4's Payment Confirmation: a review of the sale, then the action. */
export function ConfirmStep({ sale, codes, quickBooks, busy, onBack, onCreate }: ConfirmStepProps) {
  const body = useRef<HTMLDivElement>(null)
  // Not the button: holding Enter on the previous step must not press it.
  useEffect(() => body.current?.focus(), [])
  const totals = totalsOfSale(sale, codes)
  const nameOf = (all: readonly { Id: string; Name: string }[] | undefined, id: string | null) =>
    all?.find(({ Id }) => Id === id)?.Name ?? null
  const codeOf = (id: string) => nameOf(codes, id) ?? ''
  const hundredths = discountOfText(sale.discount) ?? 0

  return (
    <>
      <TwoColumns
        ref={body}
        main={
          <>
            <p className="pb-1.5 text-sm font-medium text-fg">Customer</p>
            {sale.customer && <ChosenCustomer customer={sale.customer} />}
            <p className="pt-5 pb-1 text-sm font-medium text-fg">Items</p>
            <ul aria-label="Items">
              {sale.cart.map((line, index) => (
                <li key={line.itemId} className="flex items-start justify-between gap-4 border-b border-line py-2.5 last:border-b-0">
                  <div className="min-w-0">
                    <p className="text-md font-medium text-fg">{line.name}</p>
                    <p className="text-sm text-fg-2 tabular-nums">
                      {line.quantity} × {formatMoney(line.unitPrice)} · {codeOf(line.taxCodeId)}
                      {isExempt(line, codes) && `: ${line.exemptReason}`}
                    </p>
                  </div>
                  <p className="flex-none text-md text-fg tabular-nums">{formatMoney(totals.lines[index]!.amount)}</p>
                </li>
              ))}
            </ul>
          </>
        }
        side={
          <dl className="flex flex-col gap-3 text-md">
            <Detail label="Deposit to">{nameOf(quickBooks.accounts.data?.accounts, sale.depositAccountId)}</Detail>
            <Detail label="Class">{nameOf(quickBooks.classes.data?.classes, sale.classId)}</Detail>
            <Detail label="Paid by">
              {[...sale.prepaid.map(({ label }) => label), ...(isPrepaid(sale, codes) || !sale.way ? [] : [sale.way])].join(', ')}
            </Detail>
            {sale.isDeposit && <Detail label="Kept as">Deposit for future treatment</Detail>}
            <Detail label="Memo">{sale.memo.trim() || null}</Detail>
          </dl>
        }
        totals={
          <TotalsBlock
            totals={totals}
            codes={codes}
            prepaid={sale.prepaid}
            discount={hundredths > 0 ? `Discount ${discountToText(hundredths)}%` : 'Discount'}
          />
        }
      />
      <DialogFooter note={busy ? <span role="status">The receipt is being created in QuickBooks. Please keep this open.</span> : undefined}>
        <Button size="lg" disabled={busy} onClick={onBack}>
          Cancel
        </Button>
        <Button
          size="lg"
          variant="filled"
          busy={busy}
          busyLabel="Creating…"
          className="tabular-nums"
          onClick={({ detail }) => {
            // Ignores the second click of a double click on the previous step's button, which was in the same place.
            if (detail < 2) onCreate()
          }}
        >
          {sale.way === terminalWay && !isPrepaid(sale, codes) ? 'Charge card' : 'Create Receipt'} -{' '}
          {formatMoney(prepaidOf(sale, codes).moneyCents)}
        </Button>
      </DialogFooter>
    </>
  )
}

const Detail = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex justify-between gap-4">
    <dt className="flex-none text-fg-2">{label}</dt>
    <dd className="min-w-0 text-right break-words text-fg">{children ?? <span className="text-fg-3">None</span>}</dd>
  </div>
)
