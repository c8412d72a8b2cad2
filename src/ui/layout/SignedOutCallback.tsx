import { LogIn } from 'lucide-react'
import { useEffect } from 'react'
import { consumeCallback } from '../client/callback.ts'
import { Button } from '../controls/Button.tsx'
import { EmptyState } from '../display/EmptyState.tsx'

interface SignedOutCallbackProps {
  /** Whether the account exists but is not active yet. */
  isPending: boolean
  /** What did not happen, and where to start again. */
  outcome: string
  next: string
}

/**
 * OAuth callback of a user who was signed out in the meantime. Its parameters are discarded: they are worthless without the user's
 * session.
 */
export function SignedOutCallback({ isPending, outcome, next }: SignedOutCallbackProps) {
  useEffect(() => void consumeCallback(), [])
  return (
    <div role="status" className="my-auto pb-24">
      <EmptyState
        icon={<LogIn />}
        title={isPending ? 'Your account is not active yet' : 'You are signed out'}
        actions={
          <Button asChild variant="filled">
            <a href={isPending ? '/pending' : '/auth'}>{isPending ? 'Continue' : 'Sign in'}</a>
          </Button>
        }
      >
        {outcome} {isPending ? 'An administrator has to activate it first.' : next}
      </EmptyState>
    </div>
  )
}
