import { useState } from 'react'
import { enterAs, usePractice } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { PasswordInput } from '../../../ui/controls/PasswordInput.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { type Loadable, loadable, useLoaded } from '../../../ui/hooks/useLoaded.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import { prepareCalls, useAuthForm } from './load.ts'

const forgotPassword: Loadable<typeof import('./ForgotPasswordDialog.tsx')> = loadable(() => import('./ForgotPasswordDialog.tsx'))

export function SignInForm({ onSecondStep }: { onSecondStep: () => void }) {
  const [forgotten, setForgotten] = useState(false)
  // One button leads: single sign-on, where it is set up.
  const { sso } = usePractice()
  const form = useAuthForm({
    initial: { email: '', password: '' },
    check: (checks) => checks.signIn,
    send: (client, values) => client.auth.signIn(values),
    onDone(user) {
      if ('secondStep' in user) onSecondStep()
      else enterAs(user)
    },
    failed: 'Error signing in',
  })

  return (
    <>
      <Form form={form} onFocus={prepareCalls} className="flex flex-col gap-4">
        <Field label="Email" error={form.problems.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" inputMode="email" />
        </Field>
        <Field label="Password" error={form.problems.password}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        <Button
          type="submit"
          variant={sso ? 'outlined' : 'filled'}
          size="lg"
          block
          busy={form.isBusy}
          busyLabel="Signing in..."
          className="mt-1"
        >
          Sign In
        </Button>
        <PasskeyButton
          label="Use a passkey"
          failed="Error signing in"
          send={(client, passkey) => client.auth.passkeySignIn({ passkey })}
          onDone={enterAs}
        />
        <button
          type="button"
          onClick={() => setForgotten(true)}
          className="relative self-center rounded-xs text-sm text-fg-2 touch-target hover:text-fg hover:underline"
        >
          Forgot your password?
        </button>
      </Form>
      {forgotten && <ForgotPassword onClose={() => setForgotten(false)} />}
    </>
  )
}

/** This small page has no hotkeys, so it skips the key buffering of `lazyDialog`. */
function ForgotPassword({ onClose }: { onClose: () => void }) {
  const loaded = useLoaded(forgotPassword, () => {
    onClose()
    toast.single('error', 'This did not open', 'The connection was lost.')
  })
  if (!loaded) return null
  const { default: ForgotPasswordDialog } = loaded
  return <ForgotPasswordDialog onClose={onClose} />
}
