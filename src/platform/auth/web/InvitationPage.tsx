import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { usePractice } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/EmptyState.tsx'
import { Form, FormField } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { PasswordInput } from '../../../ui/PasswordInput.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Role, roleNames } from '../../../kernel/access/rules.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { enterNewAccount } from './enter-new-account.ts'
import { tokenOfLink } from './link.ts'
import { check, loadCalls, prepareCalls } from './load.ts'

type Invitation = { email: string; role: Role; invitedBy: string }
type State = Invitation | 'asking' | 'bad-link' | 'failed'

const title = 'Join'

async function ask(token: string | null): Promise<State> {
  if (!token) return 'bad-link'
  try {
    const { client, statusOf } = await loadCalls()
    return await client.auth.invitation({ token }).catch((error: unknown) => ([410, 422].includes(statusOf(error)) ? 'bad-link' : 'failed'))
  } catch {
    return 'failed'
  }
}

/** Where the link of an invitation leads. */
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
        <ErrorState title="Refyne did not answer" onRetry={() => setAttempt(attempt + 1)} className="py-4">
          The connection was lost. The link still works.
        </ErrorState>
      </AuthFrame>
    )
  }
  if (state === 'bad-link' || !token) {
    return (
      <AuthFrame
        title="This invitation does not work any more"
        lead="It was used already, is older than 7 days, or was replaced. Please ask for a new one."
      >
        <Button asChild variant="filled" size="lg" block>
          <a href="/auth">Sign In</a>
        </Button>
      </AuthFrame>
    )
  }
  const { invitedBy, role } = state
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
  const form = useForm({
    defaultValues: { firstName: '', lastName: '', password: '' },
    resolver: check((checks) => checks.joining),
  })
  return (
    <Form
      form={form}
      onFocus={prepareCalls}
      onSubmit={async (values) => {
        const { client, codeOf, messageOf, applyFieldErrors } = await loadCalls()
        try {
          await client.auth.acceptInvitation({ ...values, token })
        } catch (error) {
          if (codeOf(error) === 'LINK_INVALID') onBadLink()
          else if (!applyFieldErrors(form, error)) toast.single('error', 'You have not joined yet', messageOf(error))
          return
        }
        await enterNewAccount({ email, password: values.password })
      }}
      className="flex flex-col gap-4"
    >
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 sm:gap-3">
        <FormField control={form.control} name="firstName" label="First name">
          {(field) => <Input {...field} autoComplete="given-name" />}
        </FormField>
        <FormField control={form.control} name="lastName" label="Last name">
          {(field) => <Input {...field} autoComplete="family-name" />}
        </FormField>
      </div>
      <div>
        <p className="text-sm font-medium text-fg">Email</p>
        <p className="pt-1 text-md text-fg-2">{email}</p>
        {/* For the browser, which keeps the password under it. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
      </div>
      <FormField control={form.control} name="password" label="Password">
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
      <Button type="submit" variant="filled" size="lg" block busy={form.formState.isSubmitting} busyLabel="Joining..." className="mt-1">
        Join
      </Button>
    </Form>
  )
}
