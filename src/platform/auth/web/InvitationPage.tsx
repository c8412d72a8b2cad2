import { useEffect, useState } from 'react'
import { codeOf, statusOf } from '../../../ui/client/refusal.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { PasswordInput } from '../../../ui/controls/PasswordInput.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { type Role, roleNames } from '../../../kernel/access/rules.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { SsoButton } from './SsoButton.tsx'
import { enterNewAccount } from './sign-in-new-account.ts'
import { tokenOfLink } from './link.ts'
import { loadCalls, prepareCalls, useAuthForm } from './load.ts'

type Invitation = { email: string; role: Role; invitedBy: string }
type State = Invitation | 'asking' | 'bad-link' | 'failed'

const title = 'Join'

async function ask(token: string | null): Promise<State> {
  if (!token) return 'bad-link'
  try {
    const { client } = await loadCalls()
    return await client.auth.invitation({ token }).catch((error: unknown) => ([410, 422].includes(statusOf(error)) ? 'bad-link' : 'failed'))
  } catch {
    return 'failed'
  }
}

/** The page that an invitation link opens. */
export default function InvitationPage() {
  const token = tokenOfLink()
  const practice = usePractice()
  const [state, setState] = useState<State>('asking')
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    setState('asking')
    void ask(token).then(setState)
  }, [token, attempt])

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
        <ErrorState title="Refyne did not respond" onRetry={() => setAttempt(attempt + 1)} className="py-4">
          The connection was lost. The link still works.
        </ErrorState>
      </AuthFrame>
    )
  }
  if (state === 'bad-link' || !token) {
    return (
      <AuthFrame
        title="This invitation no longer works"
        lead="It was used already, is older than 7 days, or was replaced. Please ask for a new one."
      >
        <Button asChild variant="filled" size="lg" block>
          <a href="/auth">Sign In</a>
        </Button>
      </AuthFrame>
    )
  }
  const { invitedBy, role } = state
  if (practice.sso?.isOnly) {
    return (
      <AuthFrame
        title={`${title} ${practice.name}`}
        lead={`${invitedBy} invites you as: ${roleNames[role]}. Sign in with ${practice.sso.name} as ${state.email}.`}
      >
        <SsoButton name={practice.sso.name} />
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
      title={`${title} ${practice.name}`}
      lead={`${invitedBy} invites you as: ${roleNames[role]}. Choose your name and a password.`}
    >
      <JoinForm token={token} email={state.email} onBadLink={() => setState('bad-link')} />
    </AuthFrame>
  )
}

interface JoinFormProps {
  token: string
  email: string
  onBadLink: () => void
}

function JoinForm({ token, email, onBadLink }: JoinFormProps) {
  const form = useAuthForm({
    initial: { firstName: '', lastName: '', password: '' },
    check: (checks) => checks.joining,
    async send(client, values) {
      await client.auth.acceptInvitation({ ...values, token })
      await enterNewAccount({ email, password: values.password })
    },
    onRefused(error) {
      if (codeOf(error) !== 'LINK_INVALID') return undefined
      onBadLink()
      return {}
    },
    failed: 'You have not joined yet',
  })
  return (
    <Form form={form} onFocus={prepareCalls} className="flex flex-col gap-4">
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 sm:gap-3">
        <Field label="First name" error={form.problems.firstName}>
          <Input {...form.text('firstName')} autoComplete="given-name" />
        </Field>
        <Field label="Last name" error={form.problems.lastName}>
          <Input {...form.text('lastName')} autoComplete="family-name" />
        </Field>
      </div>
      <div>
        <p className="text-sm font-medium text-fg">Email</p>
        <p className="pt-1 text-md text-fg-2">{email}</p>
        {/* For the browser's password manager. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
      </div>
      <Field label="Password" error={form.problems.password}>
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Joining…" className="mt-1">
        Join
      </Button>
    </Form>
  )
}
