import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { Badge, type BadgeTone } from '../../../../ui/display/Badge.tsx'
import { Asked } from '../../../../ui/display/Section.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { formatAdmins } from '../admins.ts'
import type { Connection } from '../connection.ts'
import { ConnectionActions } from '../ConnectionActions.tsx'
import { ConnectionFacts } from '../ConnectionFacts.tsx'
import { useQuickBooks } from './useQuickBooks.ts'

const badges: Record<Connection['state'], { tone: BadgeTone; icon: ReactNode; label: string }> = {
  off: { tone: 'neutral', icon: <CircleDashed />, label: 'Not set up' },
  none: { tone: 'neutral', icon: <CircleDashed />, label: 'Not connected' },
  connected: { tone: 'success', icon: <CircleCheck />, label: 'Connected' },
  reconnect: { tone: 'danger', icon: <CircleAlert />, label: 'Must be reconnected' },
}

/** QuickBooks connection status, with actions for administrators. */
export function QuickBooksCard() {
  const status = useQuickBooks()
  return (
    <Asked query={status} failed="Couldn’t load the state of QuickBooks">
      {(known) => <QuickBooksStatus status={known} />}
    </Asked>
  )
}

function QuickBooksStatus({ status }: { status: Connection }) {
  const people = useQuery(orpc.people.list.queryOptions({ staleTime: 10 * 60_000 })).data ?? []
  const isAdmin = usePermission()('quickbooks.connect')
  const { state } = status
  const badge = badges[state]
  return (
    <section aria-labelledby="quickbooks" className="py-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 id="quickbooks" className="text-md font-semibold text-fg">
          QuickBooks Online
        </h3>
        <Badge tone={badge.tone} icon={badge.icon}>
          {badge.label}
        </Badge>
      </div>
      <p className="max-w-[60ch] pt-1 text-sm text-fg-2">Payments become sales receipts in QuickBooks.</p>
      {state === 'reconnect' && (
        <Alert
          tone="danger"
          title="QuickBooks no longer accepts the connection."
          className="mt-4"
          action={<HelpLink to="administrator#connect-quickbooks">How to reconnect</HelpLink>}
        >
          It was ended inside QuickBooks, or not used for too long. Receipts taken in the meantime are kept as pending, and are recorded
          once it is connected again.
        </Alert>
      )}
      {state === 'off' && (
        <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
          {isAdmin
            ? 'Set QUICKBOOKS_CLIENT_ID and QUICKBOOKS_CLIENT_SECRET on the server, as the operations guide says, and restart it.'
            : 'It has to be set up on the server first.'}
        </p>
      )}
      {state === 'none' && isAdmin && (
        <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
          You sign in at Intuit and choose the company. Refyne reads its accounts, classes, tax codes, items and customers, and writes
          customers and sales receipts.
        </p>
      )}
      <ConnectionFacts status={status} />
      {isAdmin ? (
        <ConnectionActions status={status} />
      ) : (
        state !== 'connected' && <p className="pt-3 text-sm text-fg-2">Ask {formatAdmins(people)} to connect it.</p>
      )}
    </section>
  )
}
