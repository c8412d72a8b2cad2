import { useEffect } from 'react'
import { isLeaving } from '../../../ui/client/leaving.ts'
import { rememberPlace } from '../../../ui/client/return-path.ts'
import { lastUserId, leaveTo, refreshSession, useSession } from '../../../ui/client/session.ts'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Loading } from '../../../ui/layout/Loading.tsx'
import { Shell } from './Shell.tsx'

/** Spec 2: 'Loading...' until the session is known; without a user to /auth, replacing history. */
export function StaffGuard() {
  const { user, loading, failed } = useSession()
  const away = loading || failed ? null : !user ? '/auth' : user.status !== 'active' ? '/pending' : null

  useEffect(() => {
    if (!away) return
    if (away === '/auth' && !isLeaving()) rememberPlace(lastUserId())
    leaveTo(away)
  }, [away])

  if (failed) {
    return (
      <ErrorState title="Refyne did not respond" onRetry={() => void refreshSession()} className="min-h-dvh justify-center">
        The connection was lost. What was saved is safe.
      </ErrorState>
    )
  }
  if (loading || away) return <Loading />
  return <Shell />
}
