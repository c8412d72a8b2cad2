import { CircleCheck, Clock, MailX } from 'lucide-react'
import { useState } from 'react'
import { statusOf } from '../../../ui/client/refusal.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { PasswordInput } from '../../../ui/controls/PasswordInput.tsx'
import type { AccountStatus } from '../../../kernel/access/rules.ts'
import { AuthFrame, inlineLink } from './AuthFrame.tsx'
import { tokenOfLink } from './link.ts'
import { prepareCalls, useAuthForm } from './load.ts'
import { ResendVerificationForm } from './ResendVerificationForm.tsx'

type State = 'asking' | 'bad-link' | AccountStatus

const title = 'Verify your email address'

/** The page that the verification link opens. */
export default function VerifyEmailPage() {
  const token = tokenOfLink()
  const [state, setState] = useState<State>('asking')

  if (state === 'bad-link' || !token) {
    return (
      <AuthFrame title={title}>
        <ResendVerificationForm />
      </AuthFrame>
    )
  }
  if (state === 'asking') {
    return (
      <AuthFrame
        title={title}
        lead="Enter the password you signed up with."
        footer={
          <>
            You did not sign up, or do not know the password? Set your own by{' '}
            <a href="/reset-password" className={inlineLink}>
              Forgot password
            </a>
            , then open this link again.
          </>
        }
      >
        <VerifyForm token={token} onAnswer={setState} />
      </AuthFrame>
    )
  }
  const signIn = (
    <Button asChild variant="filled" size="lg">
      <a href="/auth">Sign In</a>
    </Button>
  )
  return (
    <AuthFrame title={title}>
      {state === 'active' && (
        <EmptyState icon={<CircleCheck />} title="Your address is verified" actions={signIn} className="py-4">
          Your account is ready.
        </EmptyState>
      )}
      {state === 'pending' && (
        <EmptyState icon={<Clock />} title="Your address is verified" actions={signIn} className="py-4">
          An administrator has to approve your account before you can use it.
        </EmptyState>
      )}
      {state === 'disabled' && (
        <EmptyState icon={<MailX />} title="This account is disabled" className="py-4">
          Please ask an administrator.
        </EmptyState>
      )}
    </AuthFrame>
  )
}

/** The link proves access to the mailbox; the password proves it is the person who signed up. */
function VerifyForm({ token, onAnswer }: { token: string; onAnswer: (state: State) => void }) {
  const form = useAuthForm({
    initial: { password: '' },
    check: (checks) => checks.verifying,
    send: (client, { password }) => client.auth.verifyEmail({ token, password }),
    onDone: ({ status }) => onAnswer(status),
    refusals: { INVALID_CREDENTIALS: 'password' },
    onRefused(error, problems) {
      if (problems.password !== undefined || ![410, 422].includes(statusOf(error))) return undefined
      onAnswer('bad-link')
      return {}
    },
    failed: 'The address was not verified',
  })
  return (
    <Form form={form} onFocus={prepareCalls} className="flex flex-col gap-4">
      <Field label="Password" error={form.problems.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
      <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Verifying…" className="mt-1">
        Verify
      </Button>
    </Form>
  )
}
