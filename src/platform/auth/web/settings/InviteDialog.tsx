import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { DeedDialog, type Problems } from '../../../../ui/DeedDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { useDeed } from '../../../../ui/useDeed.ts'
import { type Role, roleNames, roles } from '../../../../kernel/access/rules.ts'
import { invitationInput } from '../../people-contract.ts'

interface InviteDialogProps {
  onDone: () => void
  onClose: () => void
}

export default function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const deed = useDeed({
    onDone() {
      onDone()
      onClose()
    },
  })
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('front_desk')
  const input = invitationInput.safeParse({ email, role })
  const wrong: Problems = input.success ? {} : { email: input.error.issues[0]?.message ?? '' }
  const problems = deed.problems(wrong)
  function submit() {
    const fields = { EMAIL_TAKEN: 'email', ALREADY_INVITED: 'email' }
    void deed.send({ wrong, fields, call: () => client.people.invite(input.data!), done: () => 'Invitation sent' })
  }
  return (
    <DeedDialog
      title="Invite someone"
      deed={deed}
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
          onChange={({ target }) => deed.typed(setEmail)(target.value)}
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
    </DeedDialog>
  )
}
