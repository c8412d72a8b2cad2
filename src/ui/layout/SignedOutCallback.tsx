import { LogIn } from 'lucide-react'
import { useEffect } from 'react'
import { takeCallback } from '../client/callback.ts'
import { Button } from '../controls/Button.tsx'
import { EmptyState } from '../display/EmptyState.tsx'

interface SignedOutCallbackProps {
  /** There is an account, which an administrator has yet to activate. */
  isPending: boolean
  /** What did not happen, and where it is started again. */
  outcome: string
  next: string
}

/** Where a provider leads someone back to who was signed out in the meantime. What it sent is discarded: it is worth nothing without them. */
export function SignedOutCallback({ isPending, outcome, next }: SignedOutCallbackProps) {
  useEffect(() => void takeCallback(), [])
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
