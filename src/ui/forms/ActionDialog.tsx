import type { ReactNode } from 'react'
import { Form } from './Form.tsx'
import { Alert } from '../display/Alert.tsx'
import { Button } from '../controls/Button.tsx'
import { Dialog, type DialogProps, DialogBody, DialogFooter, dialogForm } from '../overlays/Dialog.tsx'
import type { FormState } from './useActionForm.ts'

export type { Problems } from './useActionForm.ts'

interface ActionDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size'> {
  form: FormState
  /** Submit label: 'Add charge'. Without it the dialog can only be closed. */
  action: { label: ReactNode; busyLabel?: string; isDanger?: boolean; isUnready?: boolean } | null
  /** Label of the closing button, if not Cancel. */
  cancel?: { label: string; onClick?: () => void }
  onClose: () => void
  children?: ReactNode
  /** Left side of the footer. */
  extra?: ReactNode
}

/** A form dialog: fields, form-level problem, Cancel and the action. */
export function ActionDialog({ form, action, cancel, onClose, children, extra, ...frame }: ActionDialogProps) {
  const { isBusy, problems } = form
  return (
    <Dialog open onOpenChange={onClose} dismissible={!isBusy} {...frame}>
      <Form form={form} className={dialogForm}>
        <DialogBody className="flex flex-col gap-4">
          {problems.form && <Alert tone="danger">{problems.form}</Alert>}
          {children}
        </DialogBody>
        <DialogFooter>
          {extra}
          <Button size="lg" disabled={isBusy} onClick={cancel?.onClick ?? onClose}>
            {cancel?.label ?? 'Cancel'}
          </Button>
          {action && (
            <Button
              type="submit"
              size="lg"
              variant={action.isDanger ? 'danger-filled' : 'filled'}
              busy={isBusy}
              busyLabel={action.busyLabel ?? 'Saving...'}
              disabled={action.isUnready}
            >
              {action.label}
            </Button>
          )}
        </DialogFooter>
      </Form>
    </Dialog>
  )
}
