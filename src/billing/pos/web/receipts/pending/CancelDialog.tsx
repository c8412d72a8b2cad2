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
      open
      onOpenChange={onClose}
      title="Cancel this receipt?"
      confirmLabel="Cancel receipt"
      busyLabel="Cancelling..."
      cancelLabel="Keep it"
      busy={busy}
      danger
      onConfirm={onConfirm}
    >
      {formatMoney(receipt.totalCents)} from {receipt.customerName} will not be recorded in QuickBooks. If the money was taken, give it back
      or take the payment again.
    </ConfirmDialog>
  )
}
