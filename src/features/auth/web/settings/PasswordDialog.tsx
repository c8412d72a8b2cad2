import { useState } from 'react'
import { client } from '../../../../web/api.ts'
import { whileLeaving } from '../../../../web/live.ts'
import { forgetPlace } from '../../../../web/return-place.ts'
import { leaveTo } from '../../../../web/session.ts'
import { DeedDialog } from '../../../../web/ui/DeedDialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { PasswordInput } from '../../../../web/ui/PasswordInput.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { passwordMessages, passwordProblem } from '../../rules.ts'
import { useDeed } from './useDeed.ts'

export default function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { deed, problems, refuse, run } = useDeed({ INVALID_CREDENTIALS: 'currentPassword' })
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')

  function submit() {
    const wrong = passwordProblem(password)
    if (currentPassword === '') return refuse({ currentPassword: passwordMessages.required, ...(wrong && { password: wrong }) })
    if (wrong) return refuse({ password: wrong })
    void run(async () => {
      await whileLeaving(() => client.auth.updatePassword({ currentPassword, password }))
      toast.keep('Password updated successfully', 'Your password has been updated.')
      forgetPlace()
      leaveTo('/auth')
    })
  }

  return (
    <DeedDialog
      title="Change password"
      deed={deed}
      problems={problems}
      label="Change password"
      busyLabel="Changing..."
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Current password" error={problems.currentPassword}>
        <PasswordInput value={currentPassword} autoComplete="current-password" onChange={({ target }) => setCurrent(target.value)} />
      </Field>
      <Field label="New password" error={problems.password}>
        <PasswordInput value={password} autoComplete="new-password" onChange={({ target }) => setPassword(target.value)} />
      </Field>
      <p className="text-sm text-fg-2">Every device that is signed in to your account will be signed out.</p>
    </DeedDialog>
  )
}
