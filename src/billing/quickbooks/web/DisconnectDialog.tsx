import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'

interface DisconnectDialogProps {
  companyName: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

export default function DisconnectDialog({ companyName, busy, onConfirm, onClose }: DisconnectDialogProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Disconnect ${companyName}?`}
      confirmLabel="Disconnect"
      busyLabel="Disconnecting..."
      busy={busy}
      danger
      onConfirm={onConfirm}
    >
      No payment can be recorded until QuickBooks is connected again. Receipts and patients stay as they are, here and in QuickBooks.
    </ConfirmDialog>
  )
}
