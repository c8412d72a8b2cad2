import { client } from '../../../../ui/client/api.ts'
import { refreshSession, useSession } from '../../../../ui/client/session.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { roleNames, roles } from '../../../../kernel/access/rules.ts'
import type { AccountData, Action } from './AccountRow.tsx'

export type AccountActionData = { action: Action; account: AccountData }

interface AccountActionProps extends AccountActionData {
  onDone: () => void
  onClose: () => void
}

const words: Record<Action, { title: (name: string) => string; label: string; busyLabel: string; done: (name: string) => string }> = {
  approve: { title: (name) => `Let ${name} in?`, label: 'Approve', busyLabel: 'Approving…', done: (name) => `${name} is approved` },
  role: { title: (name) => `Role of ${name}`, label: 'Change role', busyLabel: 'Changing…', done: () => 'Role changed' },
  disable: { title: (name) => `Disable ${name}?`, label: 'Disable', busyLabel: 'Disabling…', done: (name) => `${name} is disabled` },
  enable: { title: (name) => `Enable ${name}?`, label: 'Enable', busyLabel: 'Enabling…', done: (name) => `${name} is enabled` },
  'reset-two-factor': {
    title: (name) => `Reset two-factor of ${name}?`,
    label: 'Reset two-factor',
    busyLabel: 'Resetting…',
    done: () => 'Two-factor reset',
  },
  'allow-emergency': {
    title: (name) => `Allow emergency access for ${name}?`,
    label: 'Allow',
    busyLabel: 'Allowing…',
    done: (name) => `${name} has emergency access`,
  },
  'end-emergency': {
    title: (name) => `Remove emergency access of ${name}?`,
    label: 'Remove',
    busyLabel: 'Removing…',
    done: (name) => `${name} no longer has emergency access`,
  },
  unlink: {
    title: (name) => `Unlink single sign-on of ${name}?`,
    label: 'Unlink',
    busyLabel: 'Unlinking…',
    done: (name) => `${name} is unlinked`,
  },
}

/** Confirms an account change, which signs the user out everywhere. */
export function AccountAction({ action: kind, account, onDone, onClose }: AccountActionProps) {
  const { user } = useSession()
  const { id, fullName } = account
  const { title, label, busyLabel, done } = words[kind]
  const form = useActionForm({
    initial: { role: account.role },
    refusals: {
      LAST_ADMIN: kind === 'role' ? 'role' : 'form',
      LAST_EMERGENCY: kind === 'role' ? 'role' : 'form',
      NOT_ELIGIBLE: 'form',
    },
    /** Whether anything changed. */
    async send({ role }) {
      if (kind === 'role' && role === account.role) return false
      if (kind === 'approve') await client.people.update({ id, role, status: 'active' })
      else if (kind === 'role') await client.people.update({ id, role })
      else if (kind === 'reset-two-factor') await client.people.resetTwoFactor({ id })
      else if (kind === 'allow-emergency' || kind === 'end-emergency')
        await client.people.setEmergencyAccess({ id, isOn: kind === 'allow-emergency' })
      else if (kind === 'unlink') await client.people.unlinkSso({ id })
      else await client.people.update({ id, status: kind === 'disable' ? 'disabled' : 'active' })
      return true
    },
    done: (isChanged) => (isChanged ? done(fullName) : undefined),
    onDone(isChanged) {
      if (isChanged) onDone()
      onClose()
      if (isChanged && id === user?.id) void refreshSession()
    },
  })

  return (
    <ActionDialog title={title(fullName)} form={form} action={{ label, busyLabel, isDanger: kind === 'disable' }} onClose={onClose}>
      {kind === 'approve' && (
        <p className="text-md wrap-anywhere text-fg">
          {fullName}, {account.email}
        </p>
      )}
      {(kind === 'role' || kind === 'approve') && (
        <Field label="Role" error={form.problems.role}>
          <Select {...form.choice('role')} options={roles.map((value) => ({ value, label: roleNames[value] }))} />
        </Field>
      )}
      <p className="text-md text-fg-2">
        {kind === 'approve' &&
          'They signed up on their own. Once approved, they can see patients as their role allows (see Settings, Roles).'}
        {kind === 'role' && 'The new role applies immediately. They are signed out everywhere and have to sign in again.'}
        {kind === 'disable' && 'They are signed out everywhere and can no longer sign in. Their work is kept.'}
        {kind === 'enable' && 'They can sign in again with their previous password and role.'}
        {kind === 'reset-two-factor' &&
          'For someone who lost their phone, recovery codes or passkeys. All of them are removed. Confirm their identity first. They are signed out everywhere and can sign in with their password alone.'}
        {kind === 'allow-emergency' &&
          'They can sign in with their password and second factor when single sign-on is required and the provider does not respond. Every administrator is notified of each use.'}
        {kind === 'end-emergency' && 'When single sign-on is required, their password no longer works.'}
        {kind === 'unlink' &&
          'For someone who has a new account at the provider. They are signed out everywhere. The next sign-in there with the same verified address is linked to this account.'}
      </p>
    </ActionDialog>
  )
}
