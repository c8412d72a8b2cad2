import type { ReactNode } from 'react'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog, type DialogProps, DialogBody, DialogFooter, dialogForm } from './Dialog.tsx'
import { useProblemFocus } from './useProblemFocus.ts'

/** What is wrong, by its field; what belongs to none stands under `form`. */
export type Problems = Readonly<Record<string, string>>

interface ActionDialogProps {
  title: string
  description?: ReactNode
  size?: DialogProps['size']
  /** `tries` changes with each try, for the focus. */
  action: { isBusy: boolean; tries: number }
  problems: Problems
  /** The action: 'Add charge'. */
  label: string
  busyLabel: string
  danger?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
  /** At the left of the footer. */
  extra?: ReactNode
}

/** The frame of a dialog that does one thing: the fields, what is wrong as a whole, Cancel and the action. The first wrong field takes the focus. */
export function ActionDialog({
  title,
  description,
  size,
  action: { isBusy, tries },
  problems,
  label,
  busyLabel,
  danger,
  onSubmit,
  onClose,
  children,
  extra,
}: ActionDialogProps) {
  const form = useProblemFocus(tries)
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description} size={size} dismissible={!isBusy}>
      <form
        ref={form}
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          onSubmit()
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {problems.form && <Alert tone="danger">{problems.form}</Alert>}
          {children}
        </DialogBody>
        <DialogFooter>
          {extra}
          <Button size="lg" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant={danger ? 'danger-filled' : 'filled'} busy={isBusy} busyLabel={busyLabel}>
            {label}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
