import { useQuery } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../ui/client/api.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SideDrawer } from '../../../../ui/overlays/SideDrawer.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { ReceiptActions } from './ReceiptActions.tsx'
import { ReceiptFacts } from './ReceiptFacts.tsx'
import { numberOf } from './ReceiptRow.tsx'
import { badgeOf } from './ReceiptState.tsx'

/** All details of a receipt. */
export default function ReceiptDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const receipt = useQuery(orpc.pos.receipt.queryOptions({ input: { id } }))
  const { data } = receipt
  const badge = data && badgeOf(data)
  const number = data && numberOf(data)
  return (
    <SideDrawer
      title={[data?.kind === 'refund' ? 'Refund' : 'Receipt', number].filter(Boolean).join(' ')}
      aside={
        badge && (
          <Badge tone={badge.tone} icon={badge.icon}>
            {badge.label}
          </Badge>
        )
      }
      onClose={onClose}
      footer={data && <ReceiptActions receipt={data} />}
    >
      {data ? (
        <ReceiptFacts receipt={data} />
      ) : receipt.error ? (
        <ErrorState title="Couldn’t load the receipt" onRetry={() => void receipt.refetch()} retrying={receipt.isFetching}>
          {messageOf(receipt.error)}
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
