import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { enterAs } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form, FormField } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { PasswordInput } from '../../../ui/PasswordInput.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Loadable, loadable, useLoaded } from '../../../ui/useLoaded.ts'
import { check, loadCalls, prepareCalls } from './load.ts'

const forgotPassword: Loadable<typeof import('./ForgotPasswordDialog.tsx')> = loadable(() => import('./ForgotPasswordDialog.tsx'))

export function SignInForm({ onSecondStep }: { onSecondStep: () => void }) {
  const [forgotten, setForgotten] = useState(false)
  const form = useForm({ defaultValues: { email: '', password: '' }, resolver: check((checks) => checks.signIn) })

  return (
    <>
      <Form
        form={form}
        onFocus={prepareCalls}
        onSubmit={async (values) => {
          const { client, messageOf, applyFieldErrors } = await loadCalls()
          try {
            const user = await client.auth.signIn(values)
            if ('secondStep' in user) onSecondStep()
            else enterAs(user)
          } catch (error) {
            if (!applyFieldErrors(form, error)) toast.single('error', 'Error signing in', messageOf(error))
          }
        }}
        className="flex flex-col gap-4"
      >
        <FormField control={form.control} name="email" label="Email">
          {(field) => <Input {...field} type="email" autoComplete="username" inputMode="email" />}
        </FormField>
        <FormField control={form.control} name="password" label="Password">
          {(field) => <PasswordInput {...field} autoComplete="current-password" />}
        </FormField>
        <Button
          type="submit"
          variant="filled"
          size="lg"
          block
          busy={form.formState.isSubmitting}
          busyLabel="Signing in..."
          className="mt-1"
        >
          Sign In
        </Button>
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

/** Nothing waits here for keys, so this small page does without what holds them: see `lazyDialog`. */
function ForgotPassword({ onClose }: { onClose: () => void }) {
  const loaded = useLoaded(forgotPassword, () => {
    onClose()
    toast.single('error', 'This did not open', 'The connection was lost.')
  })
  if (!loaded) return null
  const { default: ForgotPasswordDialog } = loaded
  return <ForgotPasswordDialog onClose={onClose} />
}
