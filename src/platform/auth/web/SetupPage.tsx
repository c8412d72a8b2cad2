import { useEffect, useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { AccountFields } from './AccountFields.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { enterNewAccount } from './sign-in-new-account.ts'
import { tokenOfLink } from './link.ts'
import { loadCalls, prepareCalls, useAuthForm } from './load.ts'

type State = 'asking' | 'open' | 'closed' | 'failed'

const title = 'Set up Refyne'

/** The page of the one-time link that an empty installation prints at start-up. */
export default function SetupPage() {
  const token = tokenOfLink()
  const [state, setState] = useState<State>('asking')
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    setState('asking')
    loadCalls()
      .then(({ client }) => client.auth.setupState())
      .then(({ open }) => setState(open ? 'open' : 'closed'))
      .catch(() => setState('failed'))
  }, [attempt])

  if (state === 'asking') {
    return (
      <AuthFrame title={title}>
        <Skeleton className="h-9" />
      </AuthFrame>
    )
  }
  if (state === 'failed') {
    return (
      <AuthFrame title={title}>
        <ErrorState title="Refyne did not respond" onRetry={() => setAttempt(attempt + 1)} className="py-4" />
      </AuthFrame>
    )
  }
  if (state === 'closed' || !token) {
    return (
      <AuthFrame
        title={title}
        lead={
          state === 'open'
            ? 'This link is not complete. Please copy the whole link that Refyne printed when it started.'
            : 'This installation already has an administrator.'
        }
      >
        <Button asChild variant="filled" size="lg" block>
          <a href="/auth">Sign In</a>
        </Button>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame title={title} lead="Create the first administrator. This link works once.">
      <FirstAdminForm token={token} />
    </AuthFrame>
  )
}

function FirstAdminForm({ token }: { token: string }) {
  const form = useAuthForm({
    initial: { firstName: '', lastName: '', email: '', password: '' },
    check: (checks) => checks.signUp,
    async send(client, values) {
      await client.auth.createFirstAdmin({ ...values, token })
      await enterNewAccount({ email: values.email, password: values.password })
    },
    failed: 'The administrator was not created',
  })
  return (
    <Form form={form} onFocus={prepareCalls} className="flex flex-col gap-4">
      <AccountFields form={form} />
      <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Creating account…" className="mt-1">
        Create Account
      </Button>
    </Form>
  )
}
