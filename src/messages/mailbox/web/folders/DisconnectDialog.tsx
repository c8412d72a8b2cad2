import { useState } from 'react'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'

interface DisconnectDialogProps {
  email: string
  onConfirm: () => Promise<void>
  onClose: () => void
}

export default function DisconnectDialog({ email, onConfirm, onClose }: DisconnectDialogProps) {
  const [busy, setBusy] = useState(false)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Disconnect ${email}?`}
      action={{ label: 'Disconnect', busyLabel: 'Disconnecting…', isDanger: true }}
      isBusy={busy}
      onConfirm={() => {
        setBusy(true)
        void onConfirm()
      }}
    >
      Your email is read and sent here no more, until you connect it again. Nothing changes in the mailbox itself. Your drafts and what
      stands on timelines stay.
    </ConfirmDialog>
  )
}
