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
      onClose={onClose}
      title={`Disconnect ${companyName}?`}
      action={{ label: 'Disconnect', busyLabel: 'Disconnecting…', isDanger: true }}
      isBusy={busy}
      onConfirm={onConfirm}
    >
      No payment can be recorded until QuickBooks is connected again. Receipts and patients stay as they are, here and in QuickBooks.
    </ConfirmDialog>
  )
}
