import { useState } from 'react'
import { client } from '../../../../web/api.ts'
import { DeedDialog } from '../../../../web/ui/DeedDialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { Input } from '../../../../web/ui/Input.tsx'
import { Select } from '../../../../web/ui/Select.tsx'
import { toast } from '../../../../web/ui/toast.ts'
import { type Role, roleNames, roles } from '../../../access/rules.ts'
import { invitationInput } from '../../people-contract.ts'
import { useDeed } from './useDeed.ts'

interface InviteDialogProps {
  onDone: () => void
  onClose: () => void
}

export default function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const { deed, problems, refuse, run } = useDeed({ EMAIL_TAKEN: 'email', ALREADY_INVITED: 'email' })
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('front_desk')
  function submit() {
    const input = invitationInput.safeParse({ email, role })
    if (!input.success) return refuse({ email: input.error.issues[0]?.message ?? '' })
    void run(async () => {
      await client.people.invite(input.data)
      toast.success('Invitation sent', `The link in it works for 7 days.`)
      onDone()
      onClose()
    })
  }
  return (
    <DeedDialog
      title="Invite somebody"
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
          onChange={({ target }) => setEmail(target.value)}
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
