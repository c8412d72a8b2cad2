import type { ReactNode } from 'react'
import { messageOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { useConnection } from './connection.ts'
import { Mailbox } from './Mailbox.tsx'
import { NotConnected } from './NotConnected.tsx'
import { useHeedRefusals } from './useMailbox.ts'

/** Spec 2: /email, the mailbox of anyone who is signed in. */
export default function EmailPage(): ReactNode {
  return (
    <>
      <TopbarTitle title="Email" />
      <Email />
    </>
  )
}

function Email() {
  const connection = useConnection()
  useHeedRefusals()
  if (!connection.data) {
    return connection.error ? (
      <ErrorState
        title="Couldn’t load email"
        onRetry={() => void connection.refetch()}
        retrying={connection.isFetching}
        className="my-auto pb-24"
      >
        {messageOf(connection.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={10} className="min-h-0 flex-1 overflow-hidden" rowClassName="h-20" />
    )
  }
  if (connection.data.state === 'none') return <NotConnected offers={connection.data.offers} />
  // Another mailbox is another page: nothing of the one before stays.
  return <Mailbox key={connection.data.grantId} connection={connection.data} />
}
