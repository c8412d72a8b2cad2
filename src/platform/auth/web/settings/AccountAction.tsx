import { useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { refreshSession, useSession } from '../../../../ui/client/session.ts'
import { ActionDialog } from '../../../../ui/ActionDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Select } from '../../../../ui/Select.tsx'
import { useAction } from '../../../../ui/useAction.ts'
import { roleNames, roles } from '../../../../kernel/access/rules.ts'
import type { AccountData, Action } from './AccountRow.tsx'

export type AccountActionData = { action: Action; account: AccountData }

interface AccountActionProps extends AccountActionData {
  onDone: () => void
  onClose: () => void
}

const words: Record<Action, { title: (name: string) => string; label: string; busyLabel: string; done: (name: string) => string }> = {
  approve: { title: (name) => `Let ${name} in?`, label: 'Approve', busyLabel: 'Approving...', done: (name) => `${name} may come in` },
  role: { title: (name) => `Role of ${name}`, label: 'Change role', busyLabel: 'Changing...', done: () => 'Role changed' },
  disable: { title: (name) => `Disable ${name}?`, label: 'Disable', busyLabel: 'Disabling...', done: (name) => `${name} is disabled` },
  enable: { title: (name) => `Enable ${name}?`, label: 'Enable', busyLabel: 'Enabling...', done: (name) => `${name} is enabled` },
  'reset-two-factor': {
    title: (name) => `Reset two-factor of ${name}?`,
    label: 'Reset two-factor',
    busyLabel: 'Resetting...',
    done: () => 'Two-factor reset',
  },
}

/** Asks before an account is changed: it signs the person out everywhere. */
export function AccountAction({ action: kind, account, onDone, onClose }: AccountActionProps) {
  const { user } = useSession()
  const [role, setRole] = useState(account.role)
  const { id, fullName } = account
  const { title, label, busyLabel, done } = words[kind]
  const action = useAction({
    onDone() {
      onDone()
      onClose()
      if (id === user?.id) void refreshSession()
    },
  })
  const problems = action.problems()

  async function change() {
    if (kind === 'approve') await client.people.update({ id, role, status: 'active' })
    else if (kind === 'role') await client.people.update({ id, role })
    else if (kind === 'reset-two-factor') await client.people.resetTwoFactor({ id })
    else await client.people.update({ id, status: kind === 'disable' ? 'disabled' : 'active' })
  }
  function submit() {
    if (kind === 'role' && role === account.role) return onClose()
    const fields = { LAST_ADMIN: kind === 'role' ? 'role' : 'form' }
    void action.send({ fields, call: change, done: () => done(fullName) })
  }

  return (
    <ActionDialog
      title={title(fullName)}
      action={action}
      problems={problems}
      label={label}
      busyLabel={busyLabel}
      danger={kind === 'disable'}
      onSubmit={submit}
      onClose={onClose}
    >
      {kind === 'approve' && (
        <p className="text-md wrap-anywhere text-fg">
          {fullName}, {account.email}
        </p>
      )}
      {(kind === 'role' || kind === 'approve') && (
        <Field label="Role" error={problems.role}>
          <Select
            value={role}
            onValueChange={(next) => next && action.typed(setRole)(next)}
            options={roles.map((value) => ({ value, label: roleNames[value] }))}
          />
        </Field>
      )}
      <p className="text-md text-fg-2">
        {kind === 'approve' &&
          'They have signed up themselves, and see patients as soon as they are let in: what their role sees, as Settings, Roles says.'}
        {kind === 'role' && 'The new role counts at once: they are signed out everywhere and sign in again.'}
        {kind === 'disable' && 'They are signed out everywhere and cannot sign in any more. What they did stays.'}
        {kind === 'enable' && 'They can sign in again, with the password and the role that they had.'}
        {kind === 'reset-two-factor' &&
          'For someone who has lost their phone and their recovery codes. Make sure that it is them. They are signed out everywhere, and their password alone lets them in.'}
      </p>
    </ActionDialog>
  )
}
