import { useEffect, useState } from 'react'
import { sendActivity, watchActivity } from '../../../ui/client/activity.ts'
import { rememberPlace } from '../../../ui/client/return-path.ts'
import { lastUserId, leaveTo, refreshSession, useSessionEnd } from '../../../ui/client/session.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'

const SessionEndDialog = lazyDialog(
  () => import('./SessionEndDialog.tsx'),
  ({ onStay }) => onStay(),
)

/** Milliseconds before the end. */
const warnFor = 60_000
/** Milliseconds between checks with the server, because another tab may be in use. */
const askEvery = 10_000

/**
 * Warns a minute before the session ends from inactivity, and leaves the page when it has ended. The server ends it; this only shows it.
 */
export function SessionEnd() {
  const end = useSessionEnd()
  const [now, setNow] = useState(() => Date.now())
  /** Called when the session is about to end in any case: unsaved text can still be saved. */
  const [hasSaved, setSaved] = useState(false)
  useEffect(() => watchActivity(), [])

  const left = end ? end.idleAt - now : null
  const isNear = left !== null && left <= warnFor
  useEffect(() => {
    if (!end) return
    const timer = setInterval(() => {
      const at = Date.now()
      if (end.idleAt - at > warnFor) return
      setNow(at)
      if (at - end.heardAt > askEvery || at > end.idleAt) void refreshSession()
      // No response: the next person at this desk must not be able to read on.
      if (at > end.idleAt + askEvery) {
        rememberPlace(lastUserId())
        leaveTo('/auth')
      }
    }, 1_000)
    return () => clearInterval(timer)
  }, [end])

  // An old response may no longer be true: a new one is on its way.
  if (!end || !isNear || now - end.heardAt > askEvery + 1_000) return null
  const canStay = end.at - end.idleAt > 1_000
  if (!canStay && hasSaved) return null
  return (
    <SessionEndDialog
      seconds={Math.max(0, Math.ceil(left / 1000))}
      canStay={canStay}
      onStay={() => (canStay ? void sendActivity() : setSaved(true))}
    />
  )
}
