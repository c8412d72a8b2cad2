import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/overlays/Dialog.tsx'
import { formatMoney } from '../../../../ui/format.ts'
import type { Step } from './usePayment.ts'

interface WaitingStepProps {
  open: Extract<Step, { at: 'waiting' }>['open']
  isUncertain: boolean
  /** In cents. */
  total: number
  customer: string
  onTryAgain: () => void
  onLeave: () => void
  onCancelReceipt: (id: string) => Promise<void>
}

/** It is unknown whether a receipt exists. The user can retry, which never creates a second one, or leave it to the server. */
export function WaitingStep({ open, isUncertain, total, customer, onTryAgain, onLeave, onCancelReceipt }: WaitingStepProps) {
  const [busy, setBusy] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => body.current?.focus(), [])
  const { receiptId, why } = open
  return (
    <>
      <DialogBody>
        <div ref={body} tabIndex={-1} className="flex flex-col gap-4 outline-none">
          <Alert
            tone="warning"
            title={titles[why]}
            action={<HelpLink to="payments#if-the-connection-is-lost-while-you-pay">What happens to this payment</HelpLink>}
          >
            {why === 'reconnect'
              ? 'The receipt is saved as pending and will be recorded once an administrator connects QuickBooks in Settings.'
              : why === 'away' || receiptId
                ? 'The receipt is saved as pending and will be recorded automatically. It’s safe to try again: there will only be one receipt.'
                : 'We don’t know yet whether the receipt was created. It’s safe to try again: there will only be one receipt.'}
          </Alert>
          <dl className="text-md">
            <div className="flex justify-between gap-4 py-1">
              <dt className="text-fg-2">Customer</dt>
              <dd className="min-w-0 truncate text-fg">{customer}</dd>
            </div>
            <div className="flex justify-between gap-4 py-1">
              <dt className="text-fg-2">Total</dt>
              <dd className="font-medium text-fg tabular-nums">{formatMoney(total)}</dd>
            </div>
          </dl>
          {receiptId && isUncertain && (
            <p className="text-sm text-fg-2">QuickBooks may already have it, so you can’t cancel it until QuickBooks responds.</p>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        {receiptId && !isUncertain && (
          <Button
            size="lg"
            variant="danger"
            busy={busy}
            busyLabel="Cancelling…"
            className="max-md:flex-1 md:mr-auto"
            onClick={() => {
              setBusy(true)
              void onCancelReceipt(receiptId).finally(() => setBusy(false))
            }}
          >
            Cancel receipt
          </Button>
        )}
        <Button size="lg" disabled={busy} onClick={onLeave} className="max-md:flex-1">
          {receiptId ? 'Keep as pending' : 'Close'}
        </Button>
        <Button size="lg" variant="filled" disabled={busy} onClick={onTryAgain}>
          Try again
        </Button>
      </DialogFooter>
    </>
  )
}

const titles = {
  away: 'QuickBooks does not answer.',
  reconnect: 'QuickBooks is not connected.',
  lost: 'The connection was lost.',
}
