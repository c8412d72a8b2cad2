import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { prepareCalls } from './load.ts'
import { useRequestReset } from './useRequestReset.ts'

export default function ForgotPasswordDialog({ onClose }: { onClose: () => void }) {
  const form = useRequestReset(onClose, onClose)
  // Spec 2: nothing happens if the email is empty.
  const submit = async () => form.values.email.trim() !== '' && form.submit()
  return (
    <ActionDialog
      title="Reset Password"
      form={{ ...form, submit }}
      action={{ label: 'Send Reset Link', busyLabel: 'Sending...' }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">Enter your email address and we&apos;ll send you a link to reset your password.</p>
      <Field label="Email" error={form.problems.email}>
        <Input {...form.text('email')} type="email" autoComplete="username" inputMode="email" onFocus={prepareCalls} />
      </Field>
    </ActionDialog>
  )
}
