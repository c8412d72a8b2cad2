import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from './Dialog.tsx'

interface ConfirmDialogProps {
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** `label`: 'Delete patient'. `isUnready`: required information is still loading. */
  action: { label: string; busyLabel?: string; isDanger?: boolean; isUnready?: boolean }
  cancelLabel?: string
  isBusy?: boolean
  onConfirm: () => void
}

/** For money, merging, deleting, sending and large bulk changes; everything else has Undo. */
export function ConfirmDialog({ onClose, title, children, action, cancelLabel = 'Cancel', isBusy, onConfirm }: ConfirmDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} dismissible={!isBusy}>
      <DialogBody className="text-md text-fg-2">{children}</DialogBody>
      <DialogFooter>
        <Button size="lg" disabled={isBusy} onClick={() => onClose()}>
          {cancelLabel}
        </Button>
        <Button
          size="lg"
          variant={action.isDanger ? 'danger-filled' : 'filled'}
          disabled={action.isUnready}
          busy={isBusy}
          busyLabel={action.busyLabel}
          onClick={onConfirm}
        >
          {action.label}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
