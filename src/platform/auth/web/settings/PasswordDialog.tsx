import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { whileLeaving } from '../../../../ui/client/live.ts'
import { clearPlace } from '../../../../ui/client/return-place.ts'
import { leaveTo } from '../../../../ui/client/session.ts'
import { ActionDialog, type Problems } from '../../../../ui/ActionDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { PasswordInput } from '../../../../ui/PasswordInput.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useAction } from '../../../../ui/useAction.ts'
import { passwordMessages, passwordProblem } from '../../rules.ts'

export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const action = useAction()
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')

  const tooWeak = passwordProblem(password)
  const wrong: Problems = {
    ...(currentPassword === '' && { currentPassword: passwordMessages.required }),
    ...(tooWeak && { password: tooWeak }),
  }
  const problems = action.problems(wrong)

  async function change() {
    const { next } = await whileLeaving(() => client.auth.updatePassword({ currentPassword, password }))
    toast.keep('Password updated successfully', 'Your password has been updated.')
    clearPlace()
    leaveTo(next === 'home' ? '/' : '/auth')
  }

  return (
    <ActionDialog
      title="Change password"
      action={action}
      problems={problems}
      label="Change password"
      busyLabel="Changing..."
      onSubmit={() => void action.send({ wrong, fields: { INVALID_CREDENTIALS: 'currentPassword' }, call: change })}
      onClose={onClose}
    >
      <Field label="Current password" error={problems.currentPassword}>
        <PasswordInput
          value={currentPassword}
          autoComplete="current-password"
          onChange={({ target }) => action.typed(setCurrent)(target.value)}
        />
      </Field>
      <Field label="New password" error={problems.password}>
        <PasswordInput value={password} autoComplete="new-password" onChange={({ target }) => action.typed(setPassword)(target.value)} />
      </Field>
      <p className="text-sm text-fg-2">Every device that is signed in to your account will be signed out.</p>
    </ActionDialog>
  )
}
