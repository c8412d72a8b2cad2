import type { ReactNode } from 'react'
import { Form } from './Form.tsx'
import { Alert } from '../display/Alert.tsx'
import { Button } from '../controls/Button.tsx'
import { Dialog, type DialogProps, DialogBody, DialogFooter, dialogForm } from '../overlays/Dialog.tsx'
import type { FormState } from './useActionForm.ts'

export type { Problems } from './useActionForm.ts'

interface ActionDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size'> {
  form: FormState
  /** The button: 'Add charge'. Without one there is nothing to do here but to close. */
  action: { label: ReactNode; busyLabel?: string; isDanger?: boolean; isUnready?: boolean } | null
  /** What leaves it without the action, where that is not Cancel. */
  cancel?: { label: string; onClick?: () => void }
  onClose: () => void
  children?: ReactNode
  /** At the left of the footer. */
  extra?: ReactNode
}

/** The dialog of a form: the fields, what is wrong as a whole, Cancel and the action. */
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
