import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { leaveTo } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Form, FormField } from '../../../ui/Form.tsx'
import { PasswordInput } from '../../../ui/PasswordInput.tsx'
import { toast } from '../../../ui/toast.ts'
import { inlineLink } from './AuthFrame.tsx'
import { check, loadCalls, prepareCalls } from './load.ts'

/** With the token of a link there is no current password to give. */
export function UpdatePasswordForm({ token, onSecondStep }: { token: string | null; onSecondStep: () => void }) {
  const [expired, setExpired] = useState(false)
  const form = useForm({
    defaultValues: { currentPassword: '', password: '' },
    resolver: check((checks) => (token ? checks.passwordByLink : checks.passwordChange)),
  })

  return (
    <Form
      form={form}
      onFocus={prepareCalls}
      onSubmit={async ({ currentPassword, password }) => {
        const { client, codeOf, messageOf, applyFieldErrors } = await loadCalls()
        try {
          const { next } = await client.auth.updatePassword(token ? { token, password } : { currentPassword, password })
          const [title, text] = ['Password updated successfully', 'Your password has been updated.']
          if (next === 'second-step') {
            toast.success(title, text)
            return onSecondStep()
          }
          toast.keep(title, text)
          leaveTo(next === 'home' ? '/' : '/auth')
        } catch (error) {
          if (codeOf(error) === 'LINK_INVALID') setExpired(true)
          if (codeOf(error) === 'INVALID_CREDENTIALS') {
            form.setError('currentPassword', { message: messageOf(error) }, { shouldFocus: true })
          } else if (!applyFieldErrors(form, error)) {
            toast.single('error', 'Error updating password', messageOf(error))
          }
        }
      }}
      className="flex flex-col gap-4"
    >
      {expired && (
        <Alert tone="warning" title="This link has expired or was used already.">
          <a href="/reset-password" className={inlineLink}>
            Send me a new link
          </a>
        </Alert>
      )}
      {!token && (
        <FormField control={form.control} name="currentPassword" label="Current password">
          {(field) => <PasswordInput {...field} autoComplete="current-password" />}
        </FormField>
      )}
      <FormField control={form.control} name="password" label="New password">
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
      <Button type="submit" variant="filled" size="lg" block busy={form.formState.isSubmitting} busyLabel="Updating...">
        Update password
      </Button>
    </Form>
  )
}
