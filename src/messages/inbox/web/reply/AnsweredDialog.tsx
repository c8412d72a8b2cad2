import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'

interface AnsweredDialogProps {
  /** Who answered; null while their message is still loading. */
  by: string | null
  onSend: () => void
  onClose: () => void
}

/** Asks before a second answer is sent. */
export default function AnsweredDialog({ by, onSend, onClose }: AnsweredDialogProps) {
  return (
    <ConfirmDialog
      title={`${by ?? 'A colleague'} has answered`}
      action={{ label: 'Send anyway' }}
      cancelLabel="Keep writing"
      onConfirm={onSend}
      onClose={onClose}
    >
      {by ?? 'A colleague'} has written to the patient since you opened this conversation. Your message was not sent. Read theirs first, or
      send yours as well.
    </ConfirmDialog>
  )
}
