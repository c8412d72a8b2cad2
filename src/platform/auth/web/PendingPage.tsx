import { useEffect, useState } from 'react'
import { Loading } from '../../../ui/layout/Loading.tsx'
import { messageOf } from '../../../ui/client/refusal.ts'
import { leaveTo, refreshSession, useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { loadCalls } from './load.ts'

/** For signed-in users awaiting approval. */
export default function PendingPage() {
  const { user, loading, failed } = useSession()
  const [busy, setBusy] = useState<'checking' | 'leaving' | null>(null)
  const away = loading || failed ? null : !user ? '/auth' : user.status === 'active' ? '/' : null

  useEffect(() => {
    if (away) leaveTo(away)
  }, [away])

  if (!user || away) return <Loading />

  async function checkAgain() {
    setBusy('checking')
    await refreshSession()
    setBusy(null)
    // Leaves this page automatically once the account is approved.
    toast.info('Not approved yet', 'Please ask an administrator, or come back later.')
  }

  async function signOut() {
    setBusy('leaving')
    const { client } = await loadCalls()
    try {
      await client.auth.signOut()
      leaveTo('/auth')
    } catch (error) {
      setBusy(null)
      toast.single('error', 'Error signing out', messageOf(error))
    }
  }

  const disabled = user.status === 'disabled'
  return (
    <AuthFrame
      title={disabled ? 'This account is disabled' : 'Your account is awaiting approval'}
      lead={
        disabled
          ? 'Please ask an administrator of the practice.'
          : `Your address ${user.email} is verified. An administrator of the practice has to approve the account before you can use it.`
      }
    >
      <div className="flex gap-2">
        {!disabled && (
          <Button size="lg" variant="filled" className="flex-1" busy={busy === 'checking'} busyLabel="Checking…" onClick={checkAgain}>
            Check again
          </Button>
        )}
        <Button size="lg" className="flex-1" busy={busy === 'leaving'} busyLabel="Signing out…" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthFrame>
  )
}
