import { client } from '../../../../ui/client/api.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { type Role, roleNames, roles } from '../../../../kernel/access/rules.ts'
import { invitationInput } from '../../people-contract.ts'

interface InviteDialogProps {
  onDone: () => void
  onClose: () => void
}

export default function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const form = useActionForm({
    initial: { email: '', role: 'front_desk' as Role },
    check: (values) => ({ email: invitationInput.safeParse(values).error?.issues[0]?.message }),
    refusals: { EMAIL_TAKEN: 'email', ALREADY_INVITED: 'email' },
    send: (values) => client.people.invite(invitationInput.parse(values)),
    done: 'Invitation sent',
    onDone() {
      onDone()
      onClose()
    },
  })
  return (
    <ActionDialog title="Invite someone" form={form} action={{ label: 'Send invitation', busyLabel: 'Sending…' }} onClose={onClose}>
      <Field label="Email" error={form.problems.email}>
        <Input type="email" inputMode="email" autoComplete="off" maxLength={254} {...form.text('email')} />
      </Field>
      <Field label="Role">
        <Select {...form.choice('role')} options={roles.map((value) => ({ value, label: roleNames[value] }))} />
      </Field>
      <p className="text-sm text-fg-2">They choose their own name and password with a link that works once, within 7 days.</p>
    </ActionDialog>
  )
}
