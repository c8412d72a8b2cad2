import { useState } from 'react'
import { codeOf } from '../../../ui/client/refusal.ts'
import { leaveTo } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { PasswordInput } from '../../../ui/controls/PasswordInput.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { inlineLink } from './AuthFrame.tsx'
import { prepareCalls, useAuthForm } from './load.ts'

/** With a reset link there is no current password. */
export function UpdatePasswordForm({ token, onSecondStep }: { token: string | null; onSecondStep: () => void }) {
  const [expired, setExpired] = useState(false)
  const form = useAuthForm({
    initial: { currentPassword: '', password: '' },
    check: (checks) => (token ? checks.passwordByLink : checks.passwordChange),
    send: (client, { currentPassword, password }) =>
      client.auth.updatePassword(token ? { token, password } : { currentPassword, password }),
    onDone({ next }) {
      const [title, text] = ['Password updated successfully', 'Your password has been updated.']
      if (next === 'second-step') {
        toast.success(title, text)
        return onSecondStep()
      }
      toast.keep(title, text)
      return leaveTo(next === 'home' ? '/' : '/auth')
    },
    refusals: { INVALID_CREDENTIALS: 'currentPassword' },
    onRefused(error) {
      if (codeOf(error) === 'LINK_INVALID') setExpired(true)
    },
    failed: 'Error updating password',
  })

  return (
    <Form form={form} onFocus={prepareCalls} className="flex flex-col gap-4">
      {expired && (
        <Alert tone="warning" title="This link has expired or was used already.">
          <a href="/reset-password" className={inlineLink}>
            Send me a new link
          </a>
        </Alert>
      )}
      {!token && (
        <Field label="Current password" error={form.problems.currentPassword}>
          <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" />
        </Field>
      )}
      <Field label="New password" error={form.problems.password}>
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Updating…">
        Update password
      </Button>
    </Form>
  )
}
