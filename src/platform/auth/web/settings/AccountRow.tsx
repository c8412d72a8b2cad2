import { Ban, CircleCheck, Ellipsis, KeyRound, LifeBuoy, Unlink, UserCog } from 'lucide-react'
import type { Client } from '../../../../ui/client/api.ts'
import { usePractice, useSession } from '../../../../ui/client/session.ts'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { roleNames } from '../../../../kernel/access/rules.ts'

export type AccountData = Awaited<ReturnType<Client['people']['accounts']>>[number]
export type Action = 'approve' | 'role' | 'disable' | 'enable' | 'reset-two-factor' | 'allow-emergency' | 'end-emergency' | 'unlink'

interface AccountRowProps {
  account: AccountData
  onAction: (action: Action) => void
}

/** One staff account: name, role and status. */
export function AccountRow({ account, onAction }: AccountRowProps) {
  const { user } = useSession()
  const { id, fullName, firstName, lastName, email, role, status, emailVerified, twoFactorEnabled, emergencyAccess, isLinked, passkeys } =
    account
  const { sso } = usePractice()
  const isPending = status === 'pending' && emailVerified
  return (
    <li className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-b-0">
      <Avatar kind="staff" id={id} firstName={firstName} lastName={lastName} email={email} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-md font-medium text-fg">
          <span className={status === 'disabled' ? 'truncate text-fg-3' : 'truncate'}>{fullName}</span>
          {id === user?.id && <Badge>You</Badge>}
          {isPending && <Badge tone="warning">Awaiting approval</Badge>}
          {status === 'pending' && !emailVerified && <Badge>Address not verified</Badge>}
          {status === 'disabled' && <Badge tone="danger">Disabled</Badge>}
          {twoFactorEnabled && <Badge tone="success">Two-factor</Badge>}
          {sso && isLinked && <Badge tone="info">{sso.name}</Badge>}
          {sso && emergencyAccess && <Badge tone="warning">Emergency access</Badge>}
        </span>
        <span className="block text-sm wrap-anywhere text-fg-3">
          {roleNames[role]} · {email}
        </span>
      </span>
      {isPending && (
        <Button size="sm" aria-label={`Approve ${fullName}`} onClick={() => onAction('approve')}>
          Approve
        </Button>
      )}
      <DropdownMenu
        trigger={
          <Button variant="quiet" aria-label={`More about ${fullName}`} className="w-11 px-0 md:w-8">
            <Ellipsis />
          </Button>
        }
      >
        <MenuItem icon={<UserCog />} onSelect={() => onAction('role')}>
          Change role
        </MenuItem>
        {(twoFactorEnabled || passkeys > 0) && (
          <MenuItem icon={<KeyRound />} onSelect={() => onAction('reset-two-factor')}>
            Reset two-factor
          </MenuItem>
        )}
        {sso && role === 'admin' && status === 'active' && (
          <MenuItem icon={<LifeBuoy />} onSelect={() => onAction(emergencyAccess ? 'end-emergency' : 'allow-emergency')}>
            {emergencyAccess ? 'Remove emergency access' : 'Allow emergency access'}
          </MenuItem>
        )}
        {sso && isLinked && (
          <MenuItem icon={<Unlink />} onSelect={() => onAction('unlink')}>
            Unlink {sso.name}
          </MenuItem>
        )}
        {status === 'disabled' ? (
          <MenuItem icon={<CircleCheck />} onSelect={() => onAction('enable')}>
            Enable
          </MenuItem>
        ) : (
          <MenuItem icon={<Ban />} onSelect={() => onAction('disable')}>
            Disable
          </MenuItem>
        )}
      </DropdownMenu>
    </li>
  )
}
