import { client } from '../../../../ui/client/api.ts'
import { whileLeaving } from '../../../../ui/client/live.ts'
import { clearPlace } from '../../../../ui/client/return-path.ts'
import { leaveTo } from '../../../../ui/client/session.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { PasswordInput } from '../../../../ui/controls/PasswordInput.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { passwordMessages, passwordProblem } from '../../rules.ts'

export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const form = useActionForm({
    initial: { currentPassword: '', password: '' },
    check: ({ currentPassword, password }) => ({
      currentPassword: currentPassword === '' ? passwordMessages.required : undefined,
      password: passwordProblem(password) ?? undefined,
    }),
    refusals: { INVALID_CREDENTIALS: 'currentPassword' },
    async send(values) {
      const { next } = await whileLeaving(() => client.auth.updatePassword(values))
      toast.keep('Password updated successfully', 'Your password has been updated.')
      clearPlace()
      leaveTo(next === 'home' ? '/' : '/auth')
    },
  })

  return (
    <ActionDialog title="Change password" form={form} action={{ label: 'Change password', busyLabel: 'Changing…' }} onClose={onClose}>
      <Field label="Current password" error={form.problems.currentPassword}>
        <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" />
      </Field>
      <Field label="New password" error={form.problems.password}>
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
      <p className="text-sm text-fg-2">Every device that is signed in to your account will be signed out.</p>
    </ActionDialog>
  )
}
