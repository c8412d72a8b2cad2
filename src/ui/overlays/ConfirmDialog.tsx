import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx'

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children: ReactNode
  /** Action label: 'Delete patient'. */
  confirmLabel: string
  busyLabel?: string
  cancelLabel?: string
  busy?: boolean
  danger?: boolean
  /** Required information is still loading. */
  unready?: boolean
  onConfirm: () => void
}

/** For money, merging, deleting, sending and large bulk changes; everything else has Undo. */
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
