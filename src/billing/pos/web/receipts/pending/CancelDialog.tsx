import { ConfirmDialog } from '../../../../../ui/overlays/ConfirmDialog.tsx'
import { formatMoney } from '../../../../../ui/format.ts'
import type { ReceiptData } from '../receipt-data.ts'

interface CancelDialogProps {
  receipt: ReceiptData
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export default function CancelDialog({ receipt, busy, onConfirm, onClose }: CancelDialogProps) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Cancel this receipt?"
      action={{ label: 'Cancel receipt', busyLabel: 'Cancelling…', isDanger: true }}
      cancelLabel="Keep it"
      isBusy={busy}
      onConfirm={onConfirm}
    >
      {formatMoney(receipt.totalCents)} from {receipt.customerName} will not be recorded in QuickBooks. If the money was taken, give it back
      or take the payment again.
    </ConfirmDialog>
  )
}
