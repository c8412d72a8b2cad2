import { lazy, Suspense, useId, useRef, type ReactNode, type RefObject } from 'react'
import { LayerTrigger, loadingLayer, useOpen } from './LayerTrigger.tsx'

const loadPanel = () => import('./PopoverPanel.tsx')
const PopoverPanel = lazy(loadPanel)

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
}

export function Popover({ trigger, children, open: owned, onOpenChange, ...panel }: PopoverProps) {
  const [open, setOpen] = useOpen(owned, onOpenChange)
  const anchor = useRef<HTMLElement>(null)
  const id = useId()
  return (
    <>
      <LayerTrigger kind="dialog" ref={anchor} open={open} onOpenChange={setOpen} load={loadPanel} controls={id}>
        {trigger}
      </LayerTrigger>
      {open && (
        <Suspense fallback={loadingLayer}>
          <PopoverPanel id={id} anchor={anchor} onOpenChange={setOpen} {...panel}>
            {children}
          </PopoverPanel>
        </Suspense>
      )}
    </>
  )
}
