import { useEffect, useMemo, useRef } from 'react'
import { useSession } from '../../../../ui/client/session.ts'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'

interface ThreadActions {
  archive: () => Promise<void>
  markUnread: () => void
  compose: (mode: 'reply' | 'note') => void
  assign: (to: string | null) => void
}

/** Keyboard shortcuts for the open conversation. */
export function useThreadKeys(actions: ThreadActions): void {
  const { user } = useSession()
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const me = user?.id ?? null
  useHotkeys(
    useMemo<Hotkey[]>(() => {
      const group = 'Conversation'
      return [
        { keys: 'r', label: 'Reply', group, run: () => latest.current.compose('reply') },
        { keys: 'n', label: 'Internal note', group, run: () => latest.current.compose('note') },
        { keys: 'e', label: 'Archive or reopen', group, run: () => void latest.current.archive() },
        { keys: 'u', label: 'Mark as unread', group, run: () => latest.current.markUnread() },
        { keys: 'a', label: 'Assign to me', group, run: () => latest.current.assign(me) },
      ]
    }, [me]),
  )
}
