import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { ActionDialog, type Problems } from '../../../../ui/ActionDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { useAction } from '../../../../ui/useAction.ts'
import { type Role, roleNames, roles } from '../../../../kernel/access/rules.ts'
import { invitationInput } from '../../people-contract.ts'

interface InviteDialogProps {
  onDone: () => void
  onClose: () => void
}

export default function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const action = useAction({
    onDone() {
      onDone()
      onClose()
    },
  })
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('front_desk')
  const input = invitationInput.safeParse({ email, role })
  const wrong: Problems = input.success ? {} : { email: input.error.issues[0]?.message ?? '' }
  const problems = action.problems(wrong)
  function submit() {
    const fields = { EMAIL_TAKEN: 'email', ALREADY_INVITED: 'email' }
    void action.send({ wrong, fields, call: () => client.people.invite(input.data!), done: () => 'Invitation sent' })
  }
  return (
    <ActionDialog
      title="Invite someone"
      action={action}
      problems={problems}
      label="Send invitation"
      busyLabel="Sending..."
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Email" error={problems.email}>
        <Input
          type="email"
          inputMode="email"
          autoComplete="off"
          maxLength={254}
          value={email}
          onChange={({ target }) => action.typed(setEmail)(target.value)}
        />
      </Field>
      <Field label="Role">
        <Select
          value={role}
          onValueChange={(next) => next && setRole(next)}
          options={roles.map((value) => ({ value, label: roleNames[value] }))}
        />
      </Field>
      <p className="text-sm text-fg-2">They choose their name and password themselves, by a link that works once, for 7 days.</p>
    </ActionDialog>
  )
}
