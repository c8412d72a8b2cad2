import { useId, useRef, type ReactNode, type RefObject } from 'react'
import type { Loadable } from '../hooks/useLoaded.ts'
import { lazyDialog, LoadingDialog, useDialogCode } from './lazy-dialog.tsx'
import { DialogTrigger, useOpen } from './DialogTrigger.tsx'

const PopoverPanel = lazyDialog(
  () => import('./PopoverPanel.tsx'),
  ({ onOpenChange }) => onOpenChange(false),
)
export const preparePopover = PopoverPanel.prepare

const nothing: Loadable<object> = { load: () => Promise.resolve({}), known: () => nothing, prepare: () => undefined }

/** Whether it is open, for an owner that decides this itself. */
interface PopoverControl {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Where the focus returns if something other than the trigger opened it. */
  returnTo?: RefObject<HTMLElement | null>
}

interface PopoverProps {
  trigger: ReactNode
  children: ReactNode
  control?: PopoverControl
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** Accessible name. */
  label: string
  className?: string
  /** Code that its content needs: it opens once loaded, at its full size. */
  requires?: Loadable<object>
}

export function Popover({ trigger, children, control, align, side, requires = nothing, ...panel }: PopoverProps) {
  const [open, setOpen] = useOpen(control?.open, control?.onOpenChange)
  const anchor = useRef<HTMLElement>(null)
  const id = useId()
  return (
    <>
      <DialogTrigger kind="dialog" ref={anchor} open={open} onOpenChange={setOpen} prepare={PopoverPanel.prepare} controls={id}>
        {trigger}
      </DialogTrigger>
      {open && (
        <After code={requires} onClose={() => setOpen(false)}>
          <PopoverPanel
            id={id}
            focus={{ anchor, returnTo: control?.returnTo }}
            placement={{ align, side }}
            onOpenChange={setOpen}
            {...panel}
          >
            {children}
          </PopoverPanel>
        </After>
      )}
    </>
  )
}

function After({ code, onClose, children }: { code: Loadable<object>; onClose: () => void; children: ReactNode }) {
  return useDialogCode(code, onClose) ? children : <LoadingDialog onClose={onClose} />
}
