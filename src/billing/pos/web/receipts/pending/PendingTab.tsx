import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../../ui/client/api.ts'
import { useClock } from '../../../../../ui/client/session.ts'
import { EmptyState, ErrorState } from '../../../../../ui/display/EmptyState.tsx'
import { HelpLink } from '../../../../../ui/display/HelpLink.tsx'
import { formatCount } from '../../../../../ui/format.ts'
import { lazyDialog } from '../../../../../ui/overlays/lazy-dialog.tsx'
import { SkeletonRows } from '../../../../../ui/display/Skeleton.tsx'
import type { ReceiptData } from '../receipt-data.ts'
import { type usePending, useReceiptChoices } from '../useReceipts.ts'
import { formatTakenBy } from '../labels.ts'
import { PendingRow } from './PendingRow.tsx'
import { useCancel, useRetry } from './usePendingActions.ts'

const CancelDialog = lazyDialog(
  () => import('./CancelDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface PendingTabProps {
  pending: ReturnType<typeof usePending>
  onOpen: (id: string) => void
}

/** Receipts that QuickBooks does not have yet or has refused, oldest first, with actions. */
export function PendingTab({ pending, onOpen }: PendingTabProps) {
  const clock = useClock()
  const staff = useReceiptChoices().data?.staff
  const retry = useRetry()
  const cancel = useCancel()
  const [asking, setAsking] = useState<ReceiptData | null>(null)
  const { data, error } = pending
  if (!data) {
    return error ? (
      <ErrorState title="Couldn’t load the pending receipts" onRetry={() => void pending.refetch()} retrying={pending.isFetching}>
        {messageOf(error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={4} className="min-h-0 flex-1 overflow-hidden" rowClassName="h-24" />
    )
  }
  const { total, data: receipts } = data
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      {receipts.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="No pending receipts">
          QuickBooks has every receipt. A receipt that could not be recorded waits here and is retried automatically.
        </EmptyState>
      ) : (
        <>
          <p className="border-b border-line px-4 py-2 md:px-6">
            <HelpLink to="payments#pending-receipts">Why receipts are pending, and what to do</HelpLink>
          </p>
          <ul aria-label="Pending receipts">
            {receipts.map((receipt) => (
              <PendingRow
                key={receipt.id}
                receipt={receipt}
                clock={clock}
                takenBy={formatTakenBy(receipt, staff ?? [])}
                isTrying={retry.isPending && retry.variables.id === receipt.id}
                onOpen={() => onOpen(receipt.id)}
                onRetry={() => retry.mutate({ id: receipt.id })}
                onCancel={() => setAsking(receipt)}
              />
            ))}
          </ul>
        </>
      )}
      {total > receipts.length && (
        <p className="px-4 py-4 text-sm text-fg-2 md:px-6">
          The oldest {formatCount(receipts.length)} of {formatCount(total)} are shown.
        </p>
      )}
      {asking && (
        <CancelDialog
          receipt={asking}
          busy={cancel.isPending}
          onConfirm={() => cancel.mutate({ id: asking.id }, { onSettled: () => setAsking(null) })}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  )
}
