import { useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { AccountAction, type AccountActionData } from '../settings/AccountAction.tsx'
import { type AccountData, AccountRow } from '../settings/AccountRow.tsx'
import { InvitationRow } from '../settings/InvitationRow.tsx'

const InviteDialog = lazyDialog(
  () => import('../settings/InviteDialog.tsx'),
  ({ onClose }) => onClose(),
)

const hasEmergencyAccess = ({ role, status, emergencyAccess, twoFactorEnabled }: AccountData): boolean =>
  role === 'admin' && status === 'active' && emergencyAccess && twoFactorEnabled

/** Staff accounts, pending approvals and invitations. */
export function UsersCard() {
  const cache = useQueryClient()
  const accounts = useQuery(orpc.people.accounts.queryOptions())
  const invitations = useQuery(orpc.people.invitations.queryOptions())
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.people.key() })
  useLive(['people'], () => void refresh())
  const { sso } = usePractice()
  const [isInviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<AccountActionData | null>(null)
  const invite = (
    <Button icon={<UserPlus />} onPointerEnter={InviteDialog.prepare} onClick={() => setInviting(true)}>
      Invite
    </Button>
  )
  return (
    <div className="flex flex-col gap-8">
      <Section id="users" title="Users" actions={invite}>
        <Asked query={accounts} failed="Couldn’t load the users">
          {(list) => (
            <>
              {sso?.isOnly && !list.some(hasEmergencyAccess) && (
                <Alert
                  tone="warning"
                  title="No one has emergency access."
                  className="mt-3"
                  action={<HelpLink to="administrator#single-sign-on">How to set it up</HelpLink>}
                >
                  Until an administrator with two-factor authentication has it, every administrator can sign in with a password.
                </Alert>
              )}
              <ul aria-label="Users" className="pt-1">
                {list.map((account) => (
                  <AccountRow key={account.id} account={account} onAction={(action) => setAsked({ action, account })} />
                ))}
              </ul>
            </>
          )}
        </Asked>
        <HelpLink to="administrator#someone-cannot-sign-in">When someone cannot sign in</HelpLink>
      </Section>
      <Section id="invitations" title="Invited">
        <Asked query={invitations} failed="Couldn’t load the invitations">
          {(list) =>
            list.length > 0 ? (
              <ul aria-label="Invited" className="pt-1">
                {list.map((invitation) => (
                  <InvitationRow key={invitation.id} invitation={invitation} onChanged={() => void refresh()} />
                ))}
              </ul>
            ) : (
              <p className="pt-3 text-sm text-fg-2">No pending invitations. People you invite by email join with the role you choose.</p>
            )
          }
        </Asked>
      </Section>
      {isInviting && <InviteDialog onDone={() => void refresh()} onClose={() => setInviting(false)} />}
      {asked && <AccountAction {...asked} onDone={() => void refresh()} onClose={() => setAsked(null)} />}
    </div>
  )
}
