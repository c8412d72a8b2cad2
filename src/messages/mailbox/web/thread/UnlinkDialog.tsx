import { useState } from 'react'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'

interface UnlinkDialogProps {
  name: string
  onConfirm: () => Promise<void>
  onClose: () => void
}

export default function UnlinkDialog({ name, onConfirm, onClose }: UnlinkDialogProps) {
  const [busy, setBusy] = useState(false)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Unlink from ${name}?`}
      action={{ label: 'Unlink', busyLabel: 'Unlinking…', isDanger: true }}
      isBusy={busy}
      onConfirm={() => {
        setBusy(true)
        void onConfirm()
      }}
    >
      The thread leaves their timeline, and what comes to it is no longer put there. Your mailbox stays as it is.
    </ConfirmDialog>
  )
}
