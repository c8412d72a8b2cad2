import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { rowButton } from '../../../ui/hooks/useRowKeys.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { formatDay, formatMoney } from '../../../ui/format.ts'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useQuickBooks } from '../../quickbooks/web/embed/useQuickBooks.ts'
import { checkedLabels, isDepositable } from '../rules.ts'
import { badgeOf } from './labels.tsx'
import type { PayoutDetails } from './payout-data.ts'
import { PayoutFacts } from './PayoutFacts.tsx'
import { PayoutTransactions } from './PayoutTransactions.tsx'

const AcceptDialog = lazyDialog(
  () => import('./AcceptDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** What a payout holds, what differs, and its way to QuickBooks. */
export default function PayoutDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const payout = useQuery(orpc.payouts.get.queryOptions({ input: { id } }))
  const { data } = payout
  const badge = data && badgeOf(data)
  return (
    <SideDrawer
      title={data ? `Payout of ${formatMoney(data.amountCents)}` : 'Payout'}
      description={data && `${data.status === 'paid' ? 'In the bank' : 'Expected in the bank'} on ${formatDay(data.arrivesOn)}`}
      aside={
        badge && (
          <Badge tone={badge.tone} icon={badge.icon}>
            {badge.label}
          </Badge>
        )
      }
      onClose={onClose}
      returnTo={() => rowButton(id)}
      footer={data && <PayoutActions payout={data} />}
    >
      {data ? (
        <>
          <PayoutFacts payout={data} />
          <PayoutTransactions payout={data} />
        </>
      ) : payout.error ? (
        <ErrorState title="Couldn’t load the payout" onRetry={() => void payout.refetch()} retrying={payout.isFetching}>
          {messageOf(payout.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4">
          {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/4', 'w-2/5'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      )}
    </SideDrawer>
  )
}

function PayoutActions({ payout }: { payout: PayoutDetails }) {
  const { state, deposit } = payout
  const may = usePermission()
  const cache = useQueryClient()
  const { quickBooksUrl } = useQuickBooks().data ?? { quickBooksUrl: null }
  const [isAccepting, setAccepting] = useState(false)
  const onSettled = () => cache.invalidateQueries({ queryKey: orpc.payouts.key() })
  const check = useMutation(
    orpc.payouts.check.mutationOptions({
      onSuccess: ({ state: after }) => toast.success(checkedLabels[after]),
      onError: (error) => toast.error('Payout not checked', messageOf(error)),
      onSettled,
    }),
  )
  const post = useMutation(
    orpc.payouts.post.mutationOptions({
      onSuccess: () => toast.success('Payout posted to QuickBooks'),
      onError: (error) => toast.error('Payout not posted yet', messageOf(error)),
      onSettled,
    }),
  )
  const isOpen = state === 'differences' || state === 'reading'
  return (
    <>
      {isOpen && may('payouts.check') && (
        <Button variant="filled" busy={check.isPending} busyLabel="Checking…" onClick={() => check.mutate({ id: payout.id })}>
          Check again
        </Button>
      )}
      {state === 'differences' && may('payouts.accept') && (
        <Button disabled={check.isPending} onClick={() => setAccepting(true)}>
          Accept differences…
        </Button>
      )}
      {state === 'matched' && isDepositable(payout) && may('payouts.post') && (
        <Button variant="filled" busy={post.isPending} busyLabel="Posting…" onClick={() => post.mutate({ id: payout.id })}>
          {deposit ? 'Retry now' : 'Post to QuickBooks'}
        </Button>
      )}
      {deposit?.qbId && quickBooksUrl && (
        <Button asChild icon={<ExternalLink />}>
          <a href={`${quickBooksUrl}/app/deposit?txnId=${encodeURIComponent(deposit.qbId)}`} target="_blank" rel="noopener noreferrer">
            Open in QuickBooks
          </a>
        </Button>
      )}
      {isAccepting && <AcceptDialog payout={payout} onClose={() => setAccepting(false)} />}
    </>
  )
}
