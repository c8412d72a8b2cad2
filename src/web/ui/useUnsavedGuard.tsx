import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'

/** Asks before leaving a form with what is not saved yet. `leave` runs what may go without asking, as after saving. */
export function useUnsavedGuard(isDirty: () => boolean): { dialog: ReactNode; leave: (go: () => void) => void } {
  const free = useRef(false)
  const blocks = () => !free.current && isDirty()
  const blocker = useBlocker({ shouldBlockFn: blocks, enableBeforeUnload: blocks, withResolver: true })

  return {
    leave: (go) => {
      free.current = true
      go()
    },
    dialog: (
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        onOpenChange={() => blocker.reset?.()}
        title="Leave without saving?"
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        danger
        onConfirm={() => blocker.proceed?.()}
      >
        What you typed on this page is not saved yet.
      </ConfirmDialog>
    ),
  }
}
