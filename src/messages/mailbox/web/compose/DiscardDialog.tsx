import { useState } from 'react'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'

interface ThrowAwayDialogProps {
  files: number
  onConfirm: () => Promise<void>
  onClose: () => void
}

export default function DiscardDialog({ files, onConfirm, onClose }: ThrowAwayDialogProps) {
  const [busy, setBusy] = useState(false)
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Discard this draft?"
      action={{ label: 'Discard', busyLabel: 'Discarding…', isDanger: true }}
      isBusy={busy}
      onConfirm={() => {
        setBusy(true)
        void onConfirm().finally(() => setBusy(false))
      }}
    >
      {files === 1 ? 'The file that was attached is' : `The ${files} files that were attached are`} discarded with it.
    </ConfirmDialog>
  )
}
