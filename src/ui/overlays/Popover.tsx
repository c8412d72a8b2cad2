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

interface PopoverProps {
  trigger: ReactNode
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** Names it for a screen reader. */
  label: string
  /** Where the focus goes back to, when something else than the trigger has opened it. */
  returnTo?: RefObject<HTMLElement | null>
  className?: string
  /** Code that its content needs, too: it opens once that is there, at its full size. */
  waitsFor?: Loadable<object>
}

export function Popover({ trigger, children, open: owned, onOpenChange, waitsFor = nothing, ...panel }: PopoverProps) {
  const [open, setOpen] = useOpen(owned, onOpenChange)
  const anchor = useRef<HTMLElement>(null)
  const id = useId()
  return (
    <>
      <DialogTrigger kind="dialog" ref={anchor} open={open} onOpenChange={setOpen} prepare={PopoverPanel.prepare} controls={id}>
        {trigger}
      </DialogTrigger>
      {open && (
        <After code={waitsFor} onClose={() => setOpen(false)}>
          <PopoverPanel id={id} anchor={anchor} onOpenChange={setOpen} {...panel}>
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
