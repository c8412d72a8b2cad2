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
  /** `cancel`: the closing button, if not Cancel. `endsAction`: also while the action runs, which closing ends. `start`: the left side. */
  footer?: { cancel?: { label: string; onClick?: () => void; endsAction?: boolean } | undefined; start?: ReactNode }
  onClose: () => void
  children?: ReactNode
}

/** A form dialog: fields, form-level problem, Cancel and the action. */
export function ActionDialog({ form, action, footer = {}, onClose, children, ...frame }: ActionDialogProps) {
  const { isBusy, problems } = form
  return (
    <Dialog onClose={onClose} dismissible={!isBusy} {...frame}>
      <Form form={form} className={dialogForm}>
        <DialogBody className="flex flex-col gap-4">
          {problems.form && <Alert tone="danger">{problems.form}</Alert>}
          {children}
        </DialogBody>
        <DialogFooter>
          {footer.start}
          <Button size="lg" disabled={isBusy && !footer.cancel?.endsAction} onClick={footer.cancel?.onClick ?? onClose}>
            {footer.cancel?.label ?? 'Cancel'}
          </Button>
          {action && (
            <Button
              type="submit"
              size="lg"
              variant={action.isDanger ? 'danger-filled' : 'filled'}
              busy={isBusy}
              busyLabel={action.busyLabel ?? 'Saving…'}
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
