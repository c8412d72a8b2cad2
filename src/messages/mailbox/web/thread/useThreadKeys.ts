import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'

interface ThreadActions {
  /** Undefined: not available in the thread's location. */
  archive: (() => void) | undefined
  trash: (() => void) | undefined
  markUnread: () => void
  reply: () => void
  replyAll: () => void
  forward: () => void
  back: () => void
}

/** Keyboard shortcuts for the open thread. */
export function useThreadKeys(actions: ThreadActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useHotkeys(
    useMemo<Hotkey[]>(() => {
      const group = 'Thread'
      return [
        { keys: 'r', label: 'Reply', group, run: () => latest.current.reply() },
        { keys: 'a', label: 'Reply to all', group, run: () => latest.current.replyAll() },
        { keys: 'f', label: 'Forward', group, run: () => latest.current.forward() },
        { keys: 'e', label: 'Archive, or move to the inbox', group, run: () => latest.current.archive?.() },
        { keys: '#', label: 'Move to the trash', group, run: () => latest.current.trash?.() },
        { keys: 'u', label: 'Mark as unread', group, run: () => latest.current.markUnread() },
        { keys: 'esc', label: 'Back to the list', group, run: () => latest.current.back() },
      ]
    }, []),
  )
}
