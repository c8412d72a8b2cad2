import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { Account } from '../account/Account.tsx'

/** A patient's account in a drawer next to the outstanding list. */
export default function AccountDrawer({ contactId, onClose }: { contactId: string; onClose: () => void }) {
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId } }))
  const { data } = contact
  return (
    <SideDrawer
      title={data ? `${data.firstName} ${data.lastName}` : 'Account'}
      onClose={onClose}
      footer={
        data && (
          <Button asChild icon={<UserRound />}>
            <Link to="/contacts/$id" params={{ id: contactId }} search={{ tab: 'account' }}>
              Open patient
            </Link>
          </Button>
        )
      }
    >
      {data ? (
        <Account patient={{ id: data.id, firstName: data.firstName, lastName: data.lastName }} />
      ) : (
        contact.error && (
          <ErrorState title="Couldn’t load the account" onRetry={() => void contact.refetch()} retrying={contact.isFetching}>
            {messageOf(contact.error)}
          </ErrorState>
        )
      )}
    </SideDrawer>
  )
}
