import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children: ReactNode
  /** The action: 'Delete patient'. */
  confirmLabel: string
  busyLabel?: string
  cancelLabel?: string
  busy?: boolean
  danger?: boolean
  /** What has to be known first is still on its way. */
  unready?: boolean
  onConfirm: () => void
}

/** For money, merge, delete, sending, and what is done to very many at once; everything else has Undo. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  busyLabel,
  cancelLabel = 'Cancel',
  busy,
  danger,
  unready,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} dismissible={!busy}>
      <DialogBody className="text-md text-fg-2">{children}</DialogBody>
      <DialogFooter>
        <Button size="lg" disabled={busy} onClick={() => onOpenChange(false)}>
          {cancelLabel}
        </Button>
        <Button
          size="lg"
          variant={danger ? 'danger-filled' : 'filled'}
          disabled={unready}
          busy={busy}
          busyLabel={busyLabel}
          onClick={onConfirm}
        >
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
