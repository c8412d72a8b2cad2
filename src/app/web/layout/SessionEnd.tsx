import { useEffect, useState } from 'react'
import { sendActivity, watchActivity } from '../../../ui/client/activity.ts'
import { rememberPlace } from '../../../ui/client/return-place.ts'
import { lastUserId, leaveTo, refreshSession, useSessionEnd } from '../../../ui/client/session.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'

const SessionEndDialog = lazyDialog(
  () => import('./SessionEndDialog.tsx'),
  ({ onStay }) => onStay(),
)

/** Milliseconds before the end. */
const warnFor = 60_000
/** Milliseconds: how often the server is asked in the meantime, for another tab may be in use. */
const askEvery = 10_000

/** Warns a minute before the session ends because nothing was done, and leaves when it has. The server ends it; this shows it. */
export function SessionEnd() {
  const end = useSessionEnd()
  const [now, setNow] = useState(() => Date.now())
  /** Told that the session ends in any case: what is being typed can still be saved. */
  const [isTold, setTold] = useState(false)
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
      // No one answers, and anyone who comes to this desk next must not read on.
      if (at > end.idleAt + askEvery) {
        rememberPlace(lastUserId())
        leaveTo('/auth')
      }
    }, 1_000)
    return () => clearInterval(timer)
  }, [end])

  // What was heard long ago may not be so any more: the answer to that is on its way.
  if (!end || !isNear || now - end.heardAt > askEvery + 1_000) return null
  const canStay = end.at - end.idleAt > 1_000
  if (!canStay && isTold) return null
  return (
    <SessionEndDialog
      seconds={Math.max(0, Math.ceil(left / 1000))}
      canStay={canStay}
      onStay={() => (canStay ? void sendActivity() : setTold(true))}
    />
  )
}
