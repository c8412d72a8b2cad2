import { CircleCheck, Clock, MailX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState, ErrorState } from '../../../web/ui/EmptyState.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { tokenOfLink } from './link.ts'
import { loadCalls } from './load.ts'
import { ResendVerificationForm } from './ResendVerificationForm.tsx'

type Result = 'waiting' | 'active' | 'pending' | 'disabled' | 'bad-link' | 'failed'

/** Spends the token; a 410 or 422 says that the link itself is not good. */
async function verify(token: string): Promise<Result> {
  try {
    const { client, statusOf } = await loadCalls()
    try {
      return (await client.auth.verifyEmail({ token })).status
    } catch (error) {
      return [410, 422].includes(statusOf(error)) ? 'bad-link' : 'failed'
    }
  } catch {
    return 'failed'
  }
}

export default function VerifyEmailPage() {
  const token = tokenOfLink()
  const [attempt, setAttempt] = useState(0)
  const [result, setResult] = useState<Result>(token ? 'waiting' : 'bad-link')

  useEffect(() => {
    if (!token) return
    setResult('waiting')
    void verify(token).then(setResult)
  }, [token, attempt])

  const signIn = (
    <Button asChild variant="filled" size="lg">
      <a href="/auth">Sign In</a>
    </Button>
  )
  return (
    <AuthFrame title="Verify your email address">
      {result === 'waiting' && (
        <p role="status" className="py-6 text-center text-fg-3">
          Verifying...
        </p>
      )}
      {result === 'active' && (
        <EmptyState icon={<CircleCheck />} title="Your address is verified" actions={signIn} className="py-4">
          Your account is ready.
        </EmptyState>
      )}
      {result === 'pending' && (
        <EmptyState icon={<Clock />} title="Your address is verified" actions={signIn} className="py-4">
          An administrator has to approve your account before you can use it.
        </EmptyState>
      )}
      {result === 'disabled' && (
        <EmptyState icon={<MailX />} title="This account is disabled" className="py-4">
          Please ask an administrator.
        </EmptyState>
      )}
      {result === 'failed' && (
        <ErrorState title="The address was not verified" onRetry={() => setAttempt(attempt + 1)} className="py-4">
          The connection was lost. The link still works.
        </ErrorState>
      )}
      {result === 'bad-link' && <ResendVerificationForm />}
    </AuthFrame>
  )
}
