import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { ConfirmDialog } from '../overlays/ConfirmDialog.tsx'

interface UnsavedGuard {
  /** To be drawn; it is the question. */
  dialog: ReactNode
  /** Runs what may go without asking, as after saving. */
  leave: (go: () => void) => void
  /** Runs what closes the form, once there is nothing to lose or the person says so. */
  close: (go: () => void) => void
}

/** Asks before a form with what is not saved yet is left, by a link, the browser's Back, or what closes it. */
export function useUnsavedGuard(isDirty: () => boolean): UnsavedGuard {
  const free = useRef(false)
  const [closing, setClosing] = useState<{ go: () => void } | null>(null)
  const blocks = () => !free.current && isDirty()
  const blocker = useBlocker({ shouldBlockFn: blocks, enableBeforeUnload: blocks, withResolver: true })
  function leave(go: () => void) {
    free.current = true
    go()
  }
  function stay() {
    blocker.reset?.()
    setClosing(null)
  }

  return {
    leave,
    close: (go) => (blocks() ? setClosing({ go }) : leave(go)),
    dialog: (
      <ConfirmDialog
        open={closing !== null || blocker.status === 'blocked'}
        onOpenChange={stay}
        title="Leave without saving?"
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        danger
        onConfirm={() => (closing ? leave(closing.go) : blocker.proceed?.())}
      >
        What you typed is not saved yet.
      </ConfirmDialog>
    ),
  }
}
