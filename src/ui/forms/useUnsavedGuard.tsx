import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { ConfirmDialog } from '../overlays/ConfirmDialog.tsx'

interface UnsavedGuard {
  /** The confirmation dialog to render. */
  dialog: ReactNode
  /** Leaves without asking, as after saving. */
  leave: (go: () => void) => void
  /** Closes the form, asking first if there are unsaved changes. */
  close: (go: () => void) => void
}

/** Asks before leaving a form with unsaved changes by link, the browser's Back, or its close action. */
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
    dialog: (closing !== null || blocker.status === 'blocked') && (
      <ConfirmDialog
        onClose={stay}
        title="Leave without saving?"
        action={{ label: 'Discard changes', isDanger: true }}
        cancelLabel="Keep editing"
        onConfirm={() => (closing ? leave(closing.go) : blocker.proceed?.())}
      >
        Your changes are not saved yet.
      </ConfirmDialog>
    ),
  }
}
