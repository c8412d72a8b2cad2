import { CircleCheck, Mail, Printer } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cardName } from '../../../../shared/cards.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { CopyField } from '../../../../ui/controls/CopyField.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import type { PosTaxCode } from '../../contract.ts'
import { prepaidOf, type Sale, terminalWay, totalsOfSale } from './sale.ts'
import type { Made } from './usePayment.ts'

const EmailReceiptDialog = lazyDialog(
  () => import('../receipts/EmailReceiptDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Milliseconds until the patient's page opens (spec 9). */
const redirectAfter = 1_500

interface CompleteStepProps {
  made: Made
  customer: string
  sale: Sale
  codes: readonly PosTaxCode[]
  /** Opens the patient's page. Null: no known patient. */
  goToPatient: (() => void) | null
  onClose: () => void
}

/** Spec 2 and 4: the last step. The patient's page opens behind the dialog, which offers the receipt until it is closed. */
export function CompleteStep({ made, customer, sale, codes, goToPatient, onClose }: CompleteStepProps) {
  const { receiptId, qbId, docNumber, differenceCents } = made
  const { paid, moneyCents } = prepaidOf(sale, codes)
  const may = usePermission()
  const { data: sellable } = useQuery(orpc.prepaid.sellable.queryOptions({ enabled: may('prepaid.sellable') }))
  const giftCard = sellable?.kinds.find(({ kind }) => kind === 'gift-card')
  const hasGiftCard = sale.cart.some(({ itemId }) => itemId === giftCard?.itemId)
  const cards = useQuery(orpc.pos.soldGiftCards.queryOptions({ input: { id: receiptId }, enabled: hasGiftCard, gcTime: 0 }))
  const receipt = useQuery(orpc.pos.receipt.queryOptions({ input: { id: receiptId }, enabled: sale.way === terminalWay }))
  const card = receipt.data?.card
  const [isMailing, setMailing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isGone = useRef(false)
  useEffect(() => button.current?.focus(), [])
  const go = useEffectEvent(() => {
    isGone.current = true
    goToPatient?.()
  })
  const hasPatient = goToPatient !== null
  useEffect(() => {
    if (!hasPatient) return
    const timer = setTimeout(() => go(), redirectAfter)
    return () => clearTimeout(timer)
  }, [hasPatient])

  return (
    <>
      <DialogBody className="flex flex-col gap-4">
        <p role="status" className="flex items-start gap-3">
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5! text-success-fg" />
          <span className="text-md text-fg-2">
            Sales receipt <span className="font-medium text-fg">{docNumber ?? qbId}</span> is in QuickBooks.
            {goToPatient && ` ${customer}’s page opens behind this.`}
          </span>
        </p>
        {cards.data?.giftCards.map(({ code, cents }) => (
          <CopyField key={code} label={`Gift card of ${formatMoney(cents)}`} value={code}>
            The code is also on the receipt, to print or to email to the buyer.
          </CopyField>
        ))}
        {cards.error && (
          <Alert tone="warning">Couldn’t load the code of the gift card. It is on the receipt: print it or email it to the buyer.</Alert>
        )}
        <dl className="text-md">
          <div className="flex items-baseline justify-between gap-4">
            <dt className="text-fg-2">Total</dt>
            <dd className="text-2xl font-semibold text-fg tabular-nums">{formatMoney(totalsOfSale(sale, codes).total)}</dd>
          </div>
          {sale.prepaid.map(({ label }, index) => paid[index]! > 0 && <Part key={label} label={label} cents={paid[index]!} />)}
          {(card || sale.prepaid.length > 0) && moneyCents > 0 && (
            <Part label={card ? cardName(card) : (sale.way ?? 'Money')} cents={moneyCents} />
          )}
        </dl>
        {differenceCents !== null && (
          <Alert tone="warning" title={`QuickBooks’ own total is ${formatMoney(moneyCents + differenceCents)}.`}>
            That is {formatMoney(Math.abs(differenceCents))} {differenceCents > 0 ? 'more' : 'less'} than what was confirmed. Please have it
            looked at in QuickBooks; the difference is kept with the receipt.
          </Alert>
        )}
      </DialogBody>
      <DialogFooter>
        <Button size="lg" asChild icon={<Printer />}>
          <a href={`/api/pos/receipts/${receiptId}.pdf`} target="_blank" rel="noopener noreferrer">
            Print
          </a>
        </Button>
        <Button size="lg" icon={<Mail />} onClick={() => setMailing(true)}>
          Email
        </Button>
        <Button
          ref={button}
          size="lg"
          variant="filled"
          onClick={() => {
            if (!isGone.current) goToPatient?.()
            onClose()
          }}
        >
          Close
        </Button>
      </DialogFooter>
      {isMailing && <EmailReceiptDialog receipt={{ id: receiptId, kind: 'sale', docNumber, qbId }} onClose={() => setMailing(false)} />}
    </>
  )
}

const Part = ({ label, cents }: { label: string; cents: number }) => (
  <div className="flex min-h-7 items-baseline justify-between gap-4">
    <dt className="text-fg-2">{label}</dt>
    <dd className="text-fg tabular-nums">{formatMoney(cents)}</dd>
  </div>
)
